-- insert-bodies: keep the bodies of new jobs that are placed by their keys; answers the ids that were not there yet.
${part:keep-bodies}
returning id
