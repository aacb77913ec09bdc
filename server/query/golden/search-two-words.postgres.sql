select "r0".*, "page"."k0"
from (
  select keyed.*
  from (
    select "r0"."id", "r0"."id" as "k0"
    from "c_00k00000000001000000000000" as "r0"
    where ((strpos("r0"."f_00f00000000010000000000000_fold", $1) > 0 or strpos("r0"."f_00f00000000011000000000000_fold", $2) > 0 or strpos("r0"."f_00f00000000012000000000000_fold", $3) > 0 or "r0"."f_00f00000000017000000000000" = $4 or exists (select 1 from "c_00k00000000002000000000000" as "r1" where ("r1"."id" = "r0"."f_00f00000000018000000000000" and "r1"."f_00f00000000005000000000000" = $5 and strpos("r1"."f_00f00000000004000000000000_fold", $6) > 0)) or exists (select 1 from "l_00f00000000019000000000000" as "l1" join "c_00k00000000002000000000000" as "r1" on "r1"."id" = "l1"."value" where ("l1"."record_id" = "r0"."id" and "r1"."f_00f00000000005000000000000" = $7 and strpos("r1"."f_00f00000000004000000000000_fold", $8) > 0)) or exists (select 1 from "l_00f00000000020000000000000" as "l1" join assets as a on a.id = "l1"."value" where "l1"."record_id" = "r0"."id" and strpos("a"."name_fold", $9) > 0) or strpos("r0"."f_00f00000000022000000000000_fold", $10) > 0) and (strpos("r0"."f_00f00000000010000000000000_fold", $11) > 0 or strpos("r0"."f_00f00000000011000000000000_fold", $12) > 0 or strpos("r0"."f_00f00000000012000000000000_fold", $13) > 0 or exists (select 1 from "c_00k00000000002000000000000" as "r1" where ("r1"."id" = "r0"."f_00f00000000018000000000000" and "r1"."f_00f00000000005000000000000" = $14 and strpos("r1"."f_00f00000000004000000000000_fold", $15) > 0)) or exists (select 1 from "l_00f00000000019000000000000" as "l1" join "c_00k00000000002000000000000" as "r1" on "r1"."id" = "l1"."value" where ("l1"."record_id" = "r0"."id" and "r1"."f_00f00000000005000000000000" = $16 and strpos("r1"."f_00f00000000004000000000000_fold", $17) > 0)) or exists (select 1 from "l_00f00000000020000000000000" as "l1" join assets as a on a.id = "l1"."value" where "l1"."record_id" = "r0"."id" and strpos("a"."name_fold", $18) > 0) or strpos("r0"."f_00f00000000022000000000000_fold", $19) > 0))
  ) as keyed
  order by "keyed"."k0" asc
  limit $20
) as page
join "c_00k00000000001000000000000" as "r0" on "r0"."id" = page.id
order by "page"."k0" asc
-- ["crime","crime","crime","00h00000000004000000000000",true,"crime",true,"crime","crime","crime","big apple","big apple","big apple",true,"big apple",true,"big apple","big apple","big apple",51]
