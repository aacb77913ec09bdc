select sizes.*,
  sum(sizes.size) over (order by "sizes"."k0" asc nulls last, "sizes"."k1" desc rows unbounded preceding) - sizes.size as begins,
  count(*) over () as total
from (
  select "keyed"."k0", "keyed"."k1", count(*) as size, sum("keyed"."n0") as "a0", count("keyed"."n0") as "c0", sum("keyed"."n1") as "a1", count("keyed"."n1") as "c1", max("keyed"."n2") as "a2"
  from (
    select case "r0"."f_f0000000000000000000000017" when ? then 0 when ? then 1 when ? then 2 when ? then 3 when ? then 4 end as "k0", "r0"."f_f0000000000000000000000014" as "k1", "r0"."f_f0000000000000000000000013" as "n0", "r0"."f_f0000000000000000000000013" as "n1", "r0"."f_f0000000000000000000000021" as "n2"
    from "c_k0000000000000000000000001" as "r0"
    where 1 = 1
  ) as keyed
  group by "keyed"."k0", "keyed"."k1"
) as sizes
order by "sizes"."k0" asc nulls last, "sizes"."k1" desc
limit ? offset ?
-- ["h0000000000000000000000001","h0000000000000000000000002","h0000000000000000000000003","h0000000000000000000000004","h0000000000000000000000005",100,0]
