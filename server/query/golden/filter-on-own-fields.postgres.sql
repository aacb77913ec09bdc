select "r0".*, "page"."k0"
from (
  select keyed.*
  from (
    select "r0"."id", "r0"."id" as "k0"
    from "c_k0000000000000000000000001" as "r0"
    where (strpos("r0"."f_f0000000000000000000000010_fold", $1) > 0 and (("r0"."f_f0000000000000000000000013" >= $2 and "r0"."f_f0000000000000000000000013" <= $3) or "r0"."f_f0000000000000000000000014" = $4) and "r0"."f_f0000000000000000000000017" in ($5, $6) and ("r0"."f_f0000000000000000000000015" = $7) is not true)
  ) as keyed
  order by "keyed"."k0" asc
  limit $8
) as page
join "c_k0000000000000000000000001" as "r0" on "r0"."id" = page.id
order by "page"."k0" asc
-- ["50%",1,2,true,"h0000000000000000000000002","h0000000000000000000000004","2026-03-29",51]
