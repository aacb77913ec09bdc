select "r0".*, "page"."k0", "page"."k1"
from (
  select keyed.*
  from (
    select "r0"."id", "r0"."f_00f00000000015000000000000" as "k0", "r0"."id" as "k1"
    from "c_00k00000000001000000000000" as "r0"
    where ("r0"."import_id" is null or "r0"."import_id" not in (?))
  ) as keyed
  order by "keyed"."k0" desc nulls last, "keyed"."k1" asc
  limit ? offset ?
) as page
join "c_00k00000000001000000000000" as "r0" on "r0"."id" = page.id
order by "page"."k0" desc nulls last, "page"."k1" asc
-- ["import-1",51,100]
