"""What takes minutes: searches for advice, reports and tournaments, one at a time, each in a process of its own.

`Queue` keeps them in order, `work` is the process, `task` says what is known of one and where it is kept.
"""
