select "r0".*, "page"."k0"
from (
  select keyed.*
  from (
    select "r0"."id", "r0"."id" as "k0"
    from "c_00k00000000001000000000000" as "r0"
    where 1 = 1
  ) as keyed
  order by "keyed"."k0" asc
  limit $1
) as page
join "c_00k00000000001000000000000" as "r0" on "r0"."id" = page.id
order by "page"."k0" asc
-- [51]
