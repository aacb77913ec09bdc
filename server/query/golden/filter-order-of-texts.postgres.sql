select "r0".*, "page"."k0"
from (
  select keyed.*
  from (
    select "r0"."id", "r0"."id" as "k0"
    from "c_00k00000000001000000000000" as "r0"
    where (("r0"."f_00f00000000010000000000000_fold", "r0"."f_00f00000000010000000000000") >= ($1, $2) and substr("r0"."f_00f00000000011000000000000_fold", length("r0"."f_00f00000000011000000000000_fold") - 2) = $3)
  ) as keyed
  order by "keyed"."k0" asc
  limit $4
) as page
join "c_00k00000000001000000000000" as "r0" on "r0"."id" = page.id
order by "page"."k0" asc
-- ["m","M","end",51]
