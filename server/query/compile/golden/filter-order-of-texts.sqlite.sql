select "r0"."id", "r0"."version", "r0"."created_at", "r0"."created_by", "r0"."updated_at", "r0"."updated_by", "r0"."f_00f00000000010000000000000", "r0"."f_00f00000000011000000000000", "r0"."f_00f00000000012000000000000", "r0"."f_00f00000000013000000000000", "r0"."f_00f00000000014000000000000", "r0"."f_00f00000000015000000000000", "r0"."f_00f00000000016000000000000", "r0"."f_00f00000000017000000000000", "r0"."f_00f00000000018000000000000", (select json_group_array(value) from (select "l0"."value" as value, "l0"."position" from "l_00f00000000019000000000000" as "l0"
    where "l0"."record_id" = "r0"."id" order by "l0"."position")) as "l_00f00000000019000000000000", (select json_group_array(value) from (select "l0"."value" as value, "l0"."position" from "l_00f00000000020000000000000" as "l0"
    where "l0"."record_id" = "r0"."id" order by "l0"."position")) as "l_00f00000000020000000000000", "r0"."f_00f00000000021000000000000", "r0"."f_00f00000000022000000000000", (select json_group_array(value) from (select "l0"."value" as value, "l0"."position" from "l_00f00000000023000000000000" as "l0"
    where "l0"."record_id" = "r0"."id" order by "l0"."position")) as "l_00f00000000023000000000000", "r0"."f_00f00000000024000000000000", "r0"."f_00f00000000025000000000000", "r0"."f_00f00000000026000000000000", "r0"."f_00f00000000027000000000000", "r0"."f_00f00000000028000000000000", (select json_group_array(value) from (select "l0"."value" as value, "l0"."position" from "l_00f00000000029000000000000" as "l0"
    where "l0"."record_id" = "r0"."id" order by "l0"."position")) as "l_00f00000000029000000000000", "r0"."f_00f00000000030000000000000", "r0"."f_00f00000000031000000000000", "r0"."f_00w00000000011000000000000", "r0"."f_00w00000000012000000000000", "r0"."f_00w00000000002000000000000", "r0"."f_00w00000000003000000000000", "r0"."f_00w00000000004000000000000", "r0"."f_00w00000000005000000000000", "r0"."f_00w00000000006000000000000", "r0"."f_00w00000000007000000000000", "r0"."f_00w00000000008000000000000", "r0"."id" as "k0"
from (
  select "r0"."seq" as at
    from "c_00k00000000001000000000000" as "r0"
    where (("r0"."f_00f00000000010000000000000_fold", "r0"."f_00f00000000010000000000000") >= (?, ?) and substr("r0"."f_00f00000000011000000000000_fold", length("r0"."f_00f00000000011000000000000_fold") - 2) = ?)
    order by "r0"."seq" asc
  limit ?
) as page
cross join "c_00k00000000001000000000000" as "r0" on "r0"."seq" = page.at
order by "r0"."seq" asc
-- ["m","M","end",51]
