select "r0".*, "page"."k0"
from (
  select keyed.*
  from (
    select "r0"."id", "r0"."id" as "k0"
    from "c_00k00000000001000000000000" as "r0"
    where (strpos("r0"."f_00f00000000010000000000000_fold", $1) > 0 and (("r0"."f_00f00000000013000000000000" >= $2 and "r0"."f_00f00000000013000000000000" <= $3) or "r0"."f_00f00000000014000000000000" = $4) and "r0"."f_00f00000000017000000000000" in ($5, $6) and ("r0"."f_00f00000000015000000000000" = $7) is not true)
  ) as keyed
  order by "keyed"."k0" asc
  limit $8
) as page
join "c_00k00000000001000000000000" as "r0" on "r0"."id" = page.id
order by "page"."k0" asc
-- ["50%",1,2,true,"00h00000000002000000000000","00h00000000004000000000000","2026-03-29",51]
