select "r0".*, "page"."k0"
from (
  select keyed.*
  from (
    select "r0"."id", "r0"."id" as "k0"
    from "c_k0000000000000000000000001" as "r0"
    where (exists (select 1 from "l_f0000000000000000000000019" as "l1" join "c_k0000000000000000000000002" as "r1" on "r1"."id" = "l1"."value" where ("l1"."record_id" = "r0"."id" and "r1"."f_f0000000000000000000000005" = ? and exists (select 1 from "c_k0000000000000000000000003" as "r2" where ("r2"."id" = "r1"."f_f0000000000000000000000006" and substr("r2"."f_f0000000000000000000000001_fold", 1, 3) = ?)))) and not exists (select 1 from "c_k0000000000000000000000002" as "r1" where ("r1"."id" = "r0"."f_f0000000000000000000000018" and "r1"."f_f0000000000000000000000005" = ? and "r1"."f_f0000000000000000000000004" is not null)))
  ) as keyed
  order by "keyed"."k0" asc
  limit ?
) as page
join "c_k0000000000000000000000001" as "r0" on "r0"."id" = page.id
order by "page"."k0" asc
-- [1,"jap",1,51]
