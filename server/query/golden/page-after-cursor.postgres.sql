select "r0".*, "page"."k0", "page"."k1", "page"."k2", "page"."k3"
from (
  select keyed.*
  from (
    select "r0"."id", "r0"."f_00f00000000013000000000000" as "k0", "r0"."f_00f00000000010000000000000_fold" as "k1", "r0"."f_00f00000000010000000000000" as "k2", "r0"."id" as "k3"
    from "c_00k00000000001000000000000" as "r0"
    where 1 = 1
  ) as keyed
  where (("keyed"."k0" < $1 or "keyed"."k0" is null) or ("keyed"."k0" = $2 and ("keyed"."k1" > $3 or "keyed"."k1" is null)) or ("keyed"."k0" = $4 and "keyed"."k1" = $5 and ("keyed"."k2" > $6 or "keyed"."k2" is null)) or ("keyed"."k0" = $7 and "keyed"."k1" = $8 and "keyed"."k2" = $9 and "keyed"."k3" > $10))
  order by "keyed"."k0" desc nulls last, "keyed"."k1" asc nulls last, "keyed"."k2" asc nulls last, "keyed"."k3" asc
  limit $11
) as page
join "c_00k00000000001000000000000" as "r0" on "r0"."id" = page.id
order by "page"."k0" desc nulls last, "page"."k1" asc nulls last, "page"."k2" asc nulls last, "page"."k3" asc
-- [2.5,2.5,"apfel",2.5,"apfel","Apfel",2.5,"apfel","Apfel","b",51]
