select "r0".*, "page"."k0"
from (
  select keyed.*
  from (
    select "r0"."id", "r0"."id" as "k0"
    from "c_00k00000000001000000000000" as "r0"
    where (exists (select 1 from "l_00f00000000019000000000000" as "l1" join "c_00k00000000002000000000000" as "r1" on "r1"."id" = "l1"."value" where ("l1"."record_id" = "r0"."id" and "r1"."f_00f00000000005000000000000" = $1 and exists (select 1 from "c_00k00000000003000000000000" as "r2" where ("r2"."id" = "r1"."f_00f00000000006000000000000" and substr("r2"."f_00f00000000001000000000000_fold", 1, 3) = $2)))) and not exists (select 1 from "c_00k00000000002000000000000" as "r1" where ("r1"."id" = "r0"."f_00f00000000018000000000000" and "r1"."f_00f00000000005000000000000" = $3 and "r1"."f_00f00000000004000000000000" is not null)))
  ) as keyed
  order by "keyed"."k0" asc
  limit $4
) as page
join "c_00k00000000001000000000000" as "r0" on "r0"."id" = page.id
order by "page"."k0" asc
-- [true,"jap",true,51]
