select "r0"."id", "r0"."version", "r0"."created_at", "r0"."created_by", "r0"."updated_at", "r0"."updated_by", "r0"."f_00f00000000010000000000000", "r0"."f_00f00000000011000000000000", "r0"."f_00f00000000012000000000000", "r0"."f_00f00000000013000000000000", "r0"."f_00f00000000014000000000000", "r0"."f_00f00000000015000000000000", "r0"."f_00f00000000016000000000000", "r0"."f_00f00000000017000000000000", "r0"."f_00f00000000018000000000000", "r0"."f_00f00000000021000000000000", "r0"."f_00f00000000022000000000000", "r0"."id" as "k0"
from (
  select "r0"."id" as "at"
    from "c_00k00000000001000000000000" as "r0"
    where (exists (select 1 from "l_00f00000000020000000000000" as "l1" join assets as a on a.id = "l1"."value" where "l1"."record_id" = "r0"."id" and strpos("a"."name_fold", $1) > 0) and exists (select 1 from "l_00f00000000019000000000000" as "l1" where "l1"."record_id" = "r0"."id"))
    order by "r0"."id" asc
  limit $2
) as page
join "c_00k00000000001000000000000" as "r0" on "r0"."id" = page.at
order by "r0"."id" asc
-- ["pdf",51]
