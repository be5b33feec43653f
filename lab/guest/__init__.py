"""The learner's side: their definitions, and what stands there for all that is not theirs.

It needs the standard library and ``lab.gateway`` alone, so that it may run in a process of its own,
which sees nothing else.
"""
