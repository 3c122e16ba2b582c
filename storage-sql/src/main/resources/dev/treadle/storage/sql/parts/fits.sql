-- fits: whether the body of a job fits what is looked for; for the lists.
lower(concat(type, '.', coalesce(method, ''), ' ', coalesce(traits, ''))) like :type and lower(arguments) like :argument
  and coalesce(traits, '') like :traits and coalesce(traits, '') not like :not_traits
  and created_at >= :since and created_at < :until
