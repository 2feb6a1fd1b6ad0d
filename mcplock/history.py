"""Old content by hash: the cache written at approval, then git history."""
