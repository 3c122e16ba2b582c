-- place-columns: where a job stands and how many attempts it has had there, for StoryRows.
l.node as lease_node, l.claimed_at as lease_since, l.attempt as lease_attempt,
       d.due_at, d.since as deferred_since, d.attempt as deferred_attempt,
       p.since as parked_since, p.attempt as parked_attempt,
       w.since as waiting_since, w.attempt as waiting_attempt,
       k.since as keyed_since, k.due_at as keyed_due_at, k.place as keyed_place, k.attempt as keyed_attempt
