"""What is told of people, mostly after it has changed in the database."""

from django.dispatch import Signal

person_changed = Signal()  # person: Person; somebody's name or account
# person: int. Something by which somebody is known may be good no more: a session, a token, the account itself.
proofs_changed = Signal()
# guest: Person, person: Person. Inside the transaction, before the person gets whatever names the guest: of what only
# one of the two can keep, leave one.
guest_adopted = Signal()
