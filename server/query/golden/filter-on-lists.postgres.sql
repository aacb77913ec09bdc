select "r0".*, "page"."k0"
from (
  select keyed.*
  from (
    select "r0"."id", "r0"."id" as "k0"
    from "c_00k00000000001000000000000" as "r0"
    where (exists (select 1 from "l_00f00000000020000000000000" as "l1" join assets as a on a.id = "l1"."value" where "l1"."record_id" = "r0"."id" and strpos("a"."name_fold", $1) > 0) and exists (select 1 from "l_00f00000000019000000000000" as "l1" where "l1"."record_id" = "r0"."id"))
  ) as keyed
  order by "keyed"."k0" asc
  limit $2
) as page
join "c_00k00000000001000000000000" as "r0" on "r0"."id" = page.id
order by "page"."k0" asc
-- ["pdf",51]
