select sizes.*,
  sum(sizes.size) over (order by "sizes"."k0" asc nulls last, "sizes"."k1" desc rows unbounded preceding) - sizes.size as begins,
  count(*) over () as total
from (
  select "keyed"."k0", "keyed"."k1", count(*) as size, sum("keyed"."n0") as "a0", count("keyed"."n0") as "c0", sum("keyed"."n1") as "a1", count("keyed"."n1") as "c1", max("keyed"."n2") as "a2"
  from (
    select case "r0"."f_00f00000000017000000000000" when '00h00000000001000000000000' then 0 when '00h00000000002000000000000' then 1 when '00h00000000003000000000000' then 2 when '00h00000000004000000000000' then 3 when '00h00000000005000000000000' then 4 end as "k0", "r0"."f_00f00000000014000000000000" as "k1", "r0"."f_00f00000000013000000000000" as "n0", "r0"."f_00f00000000013000000000000" as "n1", "r0"."f_00f00000000021000000000000" as "n2"
    from "c_00k00000000001000000000000" as "r0"
    where 1 = 1
  ) as keyed
  group by "keyed"."k0", "keyed"."k1"
) as sizes
order by "sizes"."k0" asc nulls last, "sizes"."k1" desc
limit ? offset ?
-- [100,0]
