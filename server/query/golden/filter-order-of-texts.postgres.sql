select "r0".*, "page"."k0"
from (
  select keyed.*
  from (
    select "r0"."id", "r0"."id" as "k0"
    from "c_k0000000000000000000000001" as "r0"
    where (("r0"."f_f0000000000000000000000010_fold", "r0"."f_f0000000000000000000000010") >= ($1, $2) and substr("r0"."f_f0000000000000000000000011_fold", length("r0"."f_f0000000000000000000000011_fold") - 2) = $3)
  ) as keyed
  order by "keyed"."k0" asc
  limit $4
) as page
join "c_k0000000000000000000000001" as "r0" on "r0"."id" = page.id
order by "page"."k0" asc
-- ["m","M","end",51]
