select "r0".*, "page"."k0", "page"."k1", "page"."k2", "page"."k3", "page"."k4", "page"."k5", "page"."k6", "page"."k7"
from (
  select keyed.*
  from (
    select "r0"."id", case "r0"."f_f0000000000000000000000017" when ? then 0 when ? then 1 when ? then 2 when ? then 3 when ? then 4 end as "k0", (select "r1"."f_f0000000000000000000000004_fold" from "c_k0000000000000000000000002" as "r1" where ("r1"."id" = "r0"."f_f0000000000000000000000018" and "r1"."f_f0000000000000000000000005" = ?)) as "k1", (select "r1"."f_f0000000000000000000000004" from "c_k0000000000000000000000002" as "r1" where ("r1"."id" = "r0"."f_f0000000000000000000000018" and "r1"."f_f0000000000000000000000005" = ?)) as "k2", "r0"."f_f0000000000000000000000018" as "k3", (select "r1"."f_f0000000000000000000000004_fold" from "l_f0000000000000000000000019" as "l1" join "c_k0000000000000000000000002" as "r1" on "r1"."id" = "l1"."value" where ("l1"."record_id" = "r0"."id" and "r1"."f_f0000000000000000000000005" = ?) order by "l1"."position" limit 1) as "k4", (select "r1"."f_f0000000000000000000000004" from "l_f0000000000000000000000019" as "l1" join "c_k0000000000000000000000002" as "r1" on "r1"."id" = "l1"."value" where ("l1"."record_id" = "r0"."id" and "r1"."f_f0000000000000000000000005" = ?) order by "l1"."position" limit 1) as "k5", (select "l1"."value" from "l_f0000000000000000000000019" as "l1" where "l1"."record_id" = "r0"."id" order by "l1"."position" limit 1) as "k6", "r0"."id" as "k7"
    from "c_k0000000000000000000000001" as "r0"
    where 1 = 1
  ) as keyed
  order by "keyed"."k0" asc nulls last, "keyed"."k1" desc nulls last, "keyed"."k2" desc nulls last, "keyed"."k3" desc nulls last, "keyed"."k4" asc nulls last, "keyed"."k5" asc nulls last, "keyed"."k6" asc nulls last, "keyed"."k7" asc
  limit ?
) as page
join "c_k0000000000000000000000001" as "r0" on "r0"."id" = page.id
order by "page"."k0" asc nulls last, "page"."k1" desc nulls last, "page"."k2" desc nulls last, "page"."k3" desc nulls last, "page"."k4" asc nulls last, "page"."k5" asc nulls last, "page"."k6" asc nulls last, "page"."k7" asc
-- ["h0000000000000000000000001","h0000000000000000000000002","h0000000000000000000000003","h0000000000000000000000004","h0000000000000000000000005",1,1,1,1,51]
