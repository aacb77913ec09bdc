select sizes.*,
  sum(sizes.size) over (order by "sizes"."k0" asc nulls last, "sizes"."k1" desc rows unbounded preceding) - sizes.size as begins,
  count(*) over () as total
from (select "keyed"."k0", "keyed"."k1", sum(keyed.size) as size, sum("keyed"."a0") as "a0", sum("keyed"."c0") as "c0", sum("keyed"."a1") as "a1", sum("keyed"."c1") as "c1", max("keyed"."a2") as "a2"
  from (select case "r0"."f_00f00000000017000000000000" when '00h00000000001000000000000' then 0 when '00h00000000002000000000000' then 1 when '00h00000000003000000000000' then 2 when '00h00000000004000000000000' then 3 when '00h00000000005000000000000' then 4 end as "k0", "r0"."f_00f00000000014000000000000"::int as "k1", size, "a0", "c0", "a1", "c1", "a2"
  from (
    select "r0"."f_00f00000000017000000000000", "r0"."f_00f00000000014000000000000", count(*) as size, coalesce(sum(case when "r0"."f_00f00000000013000000000000" between -1e9 and 1e9 then case when round("r0"."f_00f00000000013000000000000" * 1e6) / 1e6 = "r0"."f_00f00000000013000000000000" then ("r0"."f_00f00000000013000000000000" * 1e6)::int8 end end), 0) * 0.000001 + coalesce(sum(case when case when "r0"."f_00f00000000013000000000000" between -1e9 and 1e9 then case when round("r0"."f_00f00000000013000000000000" * 1e6) / 1e6 = "r0"."f_00f00000000013000000000000" then ("r0"."f_00f00000000013000000000000" * 1e6)::int8 end end is null then "r0"."f_00f00000000013000000000000"::numeric end), 0) as "a0", count("r0"."f_00f00000000013000000000000") as "c0", coalesce(sum(case when "r0"."f_00f00000000013000000000000" between -1e9 and 1e9 then case when round("r0"."f_00f00000000013000000000000" * 1e6) / 1e6 = "r0"."f_00f00000000013000000000000" then ("r0"."f_00f00000000013000000000000" * 1e6)::int8 end end), 0) * 0.000001 + coalesce(sum(case when case when "r0"."f_00f00000000013000000000000" between -1e9 and 1e9 then case when round("r0"."f_00f00000000013000000000000" * 1e6) / 1e6 = "r0"."f_00f00000000013000000000000" then ("r0"."f_00f00000000013000000000000" * 1e6)::int8 end end is null then "r0"."f_00f00000000013000000000000"::numeric end), 0) as "a1", count("r0"."f_00f00000000013000000000000") as "c1", max("r0"."f_00f00000000021000000000000") as "a2"
    from "c_00k00000000001000000000000" as "r0"
    where 1 = 1
    group by "r0"."f_00f00000000017000000000000", "r0"."f_00f00000000014000000000000"
  ) as "r0") as keyed
  group by "keyed"."k0", "keyed"."k1") as sizes
order by "sizes"."k0" asc nulls last, "sizes"."k1" desc
limit $1 offset $2
-- [100,0]
