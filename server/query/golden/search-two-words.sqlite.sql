select "r0".*, "page"."k0"
from (
  select keyed.*
  from (
    select "r0"."id", "r0"."id" as "k0"
    from "c_00k00000000001000000000000" as "r0"
    where ((instr("r0"."f_00f00000000010000000000000_fold", ?) > 0 or instr("r0"."f_00f00000000011000000000000_fold", ?) > 0 or instr("r0"."f_00f00000000012000000000000_fold", ?) > 0 or "r0"."f_00f00000000017000000000000" = ? or exists (select 1 from "c_00k00000000002000000000000" as "r1" where ("r1"."id" = "r0"."f_00f00000000018000000000000" and "r1"."f_00f00000000005000000000000" = ? and instr("r1"."f_00f00000000004000000000000_fold", ?) > 0)) or exists (select 1 from "l_00f00000000019000000000000" as "l1" join "c_00k00000000002000000000000" as "r1" on "r1"."id" = "l1"."value" where ("l1"."record_id" = "r0"."id" and "r1"."f_00f00000000005000000000000" = ? and instr("r1"."f_00f00000000004000000000000_fold", ?) > 0)) or exists (select 1 from "l_00f00000000020000000000000" as "l1" join assets as a on a.id = "l1"."value" where "l1"."record_id" = "r0"."id" and instr("a"."name_fold", ?) > 0) or instr("r0"."f_00f00000000022000000000000_fold", ?) > 0) and (instr("r0"."f_00f00000000010000000000000_fold", ?) > 0 or instr("r0"."f_00f00000000011000000000000_fold", ?) > 0 or instr("r0"."f_00f00000000012000000000000_fold", ?) > 0 or exists (select 1 from "c_00k00000000002000000000000" as "r1" where ("r1"."id" = "r0"."f_00f00000000018000000000000" and "r1"."f_00f00000000005000000000000" = ? and instr("r1"."f_00f00000000004000000000000_fold", ?) > 0)) or exists (select 1 from "l_00f00000000019000000000000" as "l1" join "c_00k00000000002000000000000" as "r1" on "r1"."id" = "l1"."value" where ("l1"."record_id" = "r0"."id" and "r1"."f_00f00000000005000000000000" = ? and instr("r1"."f_00f00000000004000000000000_fold", ?) > 0)) or exists (select 1 from "l_00f00000000020000000000000" as "l1" join assets as a on a.id = "l1"."value" where "l1"."record_id" = "r0"."id" and instr("a"."name_fold", ?) > 0) or instr("r0"."f_00f00000000022000000000000_fold", ?) > 0))
  ) as keyed
  order by "keyed"."k0" asc
  limit ?
) as page
join "c_00k00000000001000000000000" as "r0" on "r0"."id" = page.id
order by "page"."k0" asc
-- ["crime","crime","crime","00h00000000004000000000000",1,"crime",1,"crime","crime","crime","big apple","big apple","big apple",1,"big apple",1,"big apple","big apple","big apple",51]
