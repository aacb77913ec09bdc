select "r0"."id", "r0"."version", "r0"."created_at", "r0"."created_by", "r0"."updated_at", "r0"."updated_by", "r0"."f_00f00000000010000000000000", "r0"."f_00f00000000011000000000000", "r0"."f_00f00000000012000000000000", "r0"."f_00f00000000013000000000000", "r0"."f_00f00000000014000000000000", "r0"."f_00f00000000015000000000000", "r0"."f_00f00000000016000000000000", "r0"."f_00f00000000017000000000000", "r0"."f_00f00000000018000000000000", (select cast(json_agg("l0"."value" order by "l0"."position") as text) from "l_00f00000000019000000000000" as "l0"
    where "l0"."record_id" = "r0"."id") as "l_00f00000000019000000000000", (select cast(json_agg("l0"."value" order by "l0"."position") as text) from "l_00f00000000020000000000000" as "l0"
    where "l0"."record_id" = "r0"."id") as "l_00f00000000020000000000000", "r0"."f_00f00000000021000000000000", "r0"."f_00f00000000022000000000000", (select cast(json_agg("l0"."value" order by "l0"."position") as text) from "l_00f00000000023000000000000" as "l0"
    where "l0"."record_id" = "r0"."id") as "l_00f00000000023000000000000", "r0"."f_00f00000000024000000000000", "r0"."f_00f00000000025000000000000", "r0"."f_00f00000000026000000000000", "r0"."f_00f00000000027000000000000", "r0"."f_00f00000000028000000000000", (select cast(json_agg("l0"."value" order by "l0"."position") as text) from "l_00f00000000029000000000000" as "l0"
    where "l0"."record_id" = "r0"."id") as "l_00f00000000029000000000000", "r0"."f_00f00000000030000000000000", "r0"."f_00f00000000031000000000000", "r0"."f_00w00000000011000000000000", "r0"."f_00w00000000012000000000000", "r0"."f_00w00000000002000000000000", "r0"."f_00w00000000003000000000000", "r0"."f_00w00000000004000000000000", "r0"."f_00w00000000005000000000000", "r0"."f_00w00000000006000000000000", "r0"."f_00w00000000007000000000000", "r0"."f_00w00000000008000000000000", "r0"."f_00f00000000013000000000000" as "k0", "r0"."f_00f00000000010000000000000_fold" as "k1", "r0"."f_00f00000000010000000000000" as "k2", "r0"."id" as "k3"
from (
  select * from (
    select * from (select "r0"."id" as at
    from "c_00k00000000001000000000000" as "r0"
    where ("r0"."f_00f00000000013000000000000" = $1 and left("r0"."f_00f00000000010000000000000_fold", 200) = $2 and "r0"."f_00f00000000010000000000000_fold" = $3 and "r0"."f_00f00000000010000000000000" = $4 and "r0"."id" > $5)
    order by "r0"."id" asc
    limit $6) as part
    union all select * from (select "r0"."id" as at
    from "c_00k00000000001000000000000" as "r0"
    where ("r0"."f_00f00000000013000000000000" = $7 and (left("r0"."f_00f00000000010000000000000_fold", 200), "r0"."f_00f00000000010000000000000_fold", "r0"."f_00f00000000010000000000000") > ($8, $9, $10))
    order by left("r0"."f_00f00000000010000000000000_fold", 200) asc nulls last, "r0"."f_00f00000000010000000000000_fold" asc nulls last, "r0"."f_00f00000000010000000000000" asc nulls last, "r0"."id" asc
    limit $11) as part
    union all select * from (select "r0"."id" as at
    from "c_00k00000000001000000000000" as "r0"
    where ("r0"."f_00f00000000013000000000000" = $12 and left("r0"."f_00f00000000010000000000000_fold", 200) is null and "r0"."f_00f00000000010000000000000_fold" is null and "r0"."f_00f00000000010000000000000" is null)
    order by left("r0"."f_00f00000000010000000000000_fold", 200) asc nulls last, "r0"."id" asc
    limit $13) as part
    union all select * from (select "r0"."id" as at
    from "c_00k00000000001000000000000" as "r0"
    where "r0"."f_00f00000000013000000000000" < $14
    order by "r0"."f_00f00000000013000000000000" desc nulls last, left("r0"."f_00f00000000010000000000000_fold", 200) asc nulls last, "r0"."f_00f00000000010000000000000_fold" asc nulls last, "r0"."f_00f00000000010000000000000" asc nulls last, "r0"."id" asc
    limit $15) as part
    union all select * from (select "r0"."id" as at
    from "c_00k00000000001000000000000" as "r0"
    where "r0"."f_00f00000000013000000000000" is null
    order by "r0"."f_00f00000000013000000000000" desc nulls last, left("r0"."f_00f00000000010000000000000_fold", 200) asc nulls last, "r0"."f_00f00000000010000000000000_fold" asc nulls last, "r0"."f_00f00000000010000000000000" asc nulls last, "r0"."id" asc
    limit $16) as part
  ) as parts
  limit $17
) as page
join "c_00k00000000001000000000000" as "r0" on "r0"."id" = page.at
order by "r0"."f_00f00000000013000000000000" desc nulls last, left("r0"."f_00f00000000010000000000000_fold", 200) asc nulls last, "r0"."f_00f00000000010000000000000_fold" asc nulls last, "r0"."f_00f00000000010000000000000" asc nulls last, "r0"."id" asc
-- [2.5,"apfel","apfel","Apfel","b",51,2.5,"apfel","apfel","Apfel",51,2.5,51,2.5,51,51,51]
