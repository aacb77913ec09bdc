select "r0"."id", "r0"."version", "r0"."created_at", "r0"."created_by", "r0"."updated_at", "r0"."updated_by", "r0"."f_00f00000000010000000000000", "r0"."f_00f00000000011000000000000", "r0"."f_00f00000000012000000000000", "r0"."f_00f00000000013000000000000", "r0"."f_00f00000000014000000000000", "r0"."f_00f00000000015000000000000", "r0"."f_00f00000000016000000000000", "r0"."f_00f00000000017000000000000", "r0"."f_00f00000000018000000000000", (select cast(json_agg("l0"."value" order by "l0"."position") as text) from "l_00f00000000019000000000000" as "l0"
    where "l0"."record_id" = "r0"."id") as "l_00f00000000019000000000000", (select cast(json_agg("l0"."value" order by "l0"."position") as text) from "l_00f00000000020000000000000" as "l0"
    where "l0"."record_id" = "r0"."id") as "l_00f00000000020000000000000", "r0"."f_00f00000000021000000000000", "r0"."f_00f00000000022000000000000", (select cast(json_agg("l0"."value" order by "l0"."position") as text) from "l_00f00000000023000000000000" as "l0"
    where "l0"."record_id" = "r0"."id") as "l_00f00000000023000000000000", "r0"."f_00f00000000024000000000000", "r0"."f_00f00000000025000000000000", "r0"."f_00f00000000026000000000000", "r0"."f_00f00000000027000000000000", "r0"."f_00f00000000028000000000000", (select cast(json_agg("l0"."value" order by "l0"."position") as text) from "l_00f00000000029000000000000" as "l0"
    where "l0"."record_id" = "r0"."id") as "l_00f00000000029000000000000", "r0"."f_00f00000000030000000000000", "r0"."f_00f00000000031000000000000", "page"."k0", "page"."k1", "page"."k2", "page"."k3", "page"."k4", "page"."k5", "page"."k6", "page"."k7"
from (
  select keyed.*
  from (
    select "r0"."id" as at, case "r0"."f_00f00000000017000000000000" when '00h00000000001000000000000' then 0 when '00h00000000002000000000000' then 1 when '00h00000000003000000000000' then 2 when '00h00000000004000000000000' then 3 when '00h00000000005000000000000' then 4 end as "k0", "r1"."f_00f00000000004000000000000_fold" as "k1", "r1"."f_00f00000000004000000000000" as "k2", "r1"."id" as "k3", (select "r1"."f_00f00000000004000000000000_fold" from "l_00f00000000019000000000000" as "l1" join "c_00k00000000002000000000000" as "r1" on "r1"."id" = "l1"."value" where ("l1"."record_id" = "r0"."id" and "r1"."f_00f00000000005000000000000" = $1) order by "l1"."position" limit 1) as "k4", (select "r1"."f_00f00000000004000000000000" from "l_00f00000000019000000000000" as "l1" join "c_00k00000000002000000000000" as "r1" on "r1"."id" = "l1"."value" where ("l1"."record_id" = "r0"."id" and "r1"."f_00f00000000005000000000000" = $2) order by "l1"."position" limit 1) as "k5", (select "r1"."id" from "l_00f00000000019000000000000" as "l1" join "c_00k00000000002000000000000" as "r1" on "r1"."id" = "l1"."value" where ("l1"."record_id" = "r0"."id" and "r1"."f_00f00000000005000000000000" = $3) order by "l1"."position" limit 1) as "k6", "r0"."id" as "k7"
    from "c_00k00000000001000000000000" as "r0"
    left join "c_00k00000000002000000000000" as "r1" on ("r1"."id" = "r0"."f_00f00000000018000000000000" and "r1"."f_00f00000000005000000000000" = $4)
    where 1 = 1
  ) as keyed
  order by "keyed"."k0" asc nulls last, "keyed"."k1" desc nulls last, "keyed"."k2" desc nulls last, "keyed"."k3" desc nulls last, "keyed"."k4" asc nulls last, "keyed"."k5" asc nulls last, "keyed"."k6" asc nulls last, "keyed"."k7" asc
  limit $5
) as page
join "c_00k00000000001000000000000" as "r0" on "r0"."id" = page.at
order by "page"."k0" asc nulls last, "page"."k1" desc nulls last, "page"."k2" desc nulls last, "page"."k3" desc nulls last, "page"."k4" asc nulls last, "page"."k5" asc nulls last, "page"."k6" asc nulls last, "page"."k7" asc
-- [true,true,true,true,51]
