select sizes.*,
  sum(sizes.size) over (order by "sizes"."k0" asc nulls last, "sizes"."k1" asc nulls last, "sizes"."k2" asc nulls last rows unbounded preceding) - sizes.size as begins,
  count(*) over () as total
from (select (select case when "r1"."f_00f00000000005000000000000" = ? then "r1"."f_00f00000000004000000000000_fold" end from "c_00k00000000002000000000000" as "r1" where "r1"."id" = "r0"."f_00f00000000018000000000000") as "k0", (select case when "r1"."f_00f00000000005000000000000" = ? then "r1"."f_00f00000000004000000000000" end from "c_00k00000000002000000000000" as "r1" where "r1"."id" = "r0"."f_00f00000000018000000000000") as "k1", "r0"."f_00f00000000018000000000000" as "k2", size, "a0"
  from (
    select "r0"."f_00f00000000018000000000000", count(*) as size, max("r0"."f_00f00000000013000000000000") as "a0"
    from (select case when "r0"."f_00f00000000017000000000000" is not null then "r0"."f_00f00000000018000000000000" end as "f_00f00000000018000000000000", case when "r0"."f_00f00000000014000000000000" = ? then "r0"."f_00f00000000013000000000000" end as "f_00f00000000013000000000000" from "c_00k00000000001000000000000" as "r0"
    where 1 = 1) as "r0"
    group by "r0"."f_00f00000000018000000000000"
  ) as "r0") as sizes
order by "sizes"."k0" asc nulls last, "sizes"."k1" asc nulls last, "sizes"."k2" asc nulls last
limit ? offset ?
-- [1,1,1,500,0]
