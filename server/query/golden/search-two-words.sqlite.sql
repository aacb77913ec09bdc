select "r0".*, "page"."k0"
from (
  select keyed.*
  from (
    select "r0"."id", "r0"."id" as "k0"
    from "c_k0000000000000000000000001" as "r0"
    where ((instr("r0"."f_f0000000000000000000000010_fold", ?) > 0 or instr("r0"."f_f0000000000000000000000011_fold", ?) > 0 or instr("r0"."f_f0000000000000000000000012_fold", ?) > 0 or "r0"."f_f0000000000000000000000017" = ? or exists (select 1 from "c_k0000000000000000000000002" as "r1" where ("r1"."id" = "r0"."f_f0000000000000000000000018" and "r1"."f_f0000000000000000000000005" = ? and instr("r1"."f_f0000000000000000000000004_fold", ?) > 0)) or exists (select 1 from "l_f0000000000000000000000019" as "l1" join "c_k0000000000000000000000002" as "r1" on "r1"."id" = "l1"."value" where ("l1"."record_id" = "r0"."id" and "r1"."f_f0000000000000000000000005" = ? and instr("r1"."f_f0000000000000000000000004_fold", ?) > 0)) or exists (select 1 from "l_f0000000000000000000000020" as "l1" join assets as a on a.id = "l1"."value" where "l1"."record_id" = "r0"."id" and instr("a"."name_fold", ?) > 0) or instr("r0"."f_f0000000000000000000000022_fold", ?) > 0) and (instr("r0"."f_f0000000000000000000000010_fold", ?) > 0 or instr("r0"."f_f0000000000000000000000011_fold", ?) > 0 or instr("r0"."f_f0000000000000000000000012_fold", ?) > 0 or exists (select 1 from "c_k0000000000000000000000002" as "r1" where ("r1"."id" = "r0"."f_f0000000000000000000000018" and "r1"."f_f0000000000000000000000005" = ? and instr("r1"."f_f0000000000000000000000004_fold", ?) > 0)) or exists (select 1 from "l_f0000000000000000000000019" as "l1" join "c_k0000000000000000000000002" as "r1" on "r1"."id" = "l1"."value" where ("l1"."record_id" = "r0"."id" and "r1"."f_f0000000000000000000000005" = ? and instr("r1"."f_f0000000000000000000000004_fold", ?) > 0)) or exists (select 1 from "l_f0000000000000000000000020" as "l1" join assets as a on a.id = "l1"."value" where "l1"."record_id" = "r0"."id" and instr("a"."name_fold", ?) > 0) or instr("r0"."f_f0000000000000000000000022_fold", ?) > 0))
  ) as keyed
  order by "keyed"."k0" asc
  limit ?
) as page
join "c_k0000000000000000000000001" as "r0" on "r0"."id" = page.id
order by "page"."k0" asc
-- ["crime","crime","crime","h0000000000000000000000004",1,"crime",1,"crime","crime","crime","big apple","big apple","big apple",1,"big apple",1,"big apple","big apple","big apple",51]
