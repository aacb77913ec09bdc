select count(*) as size, 0 as begins, 1 as total, sum("r0"."f_00f00000000013000000000000"::numeric) as "a1", count("r0"."f_00f00000000013000000000000") as "c1", sum("r0"."f_00f00000000013000000000000"::numeric) as "a2", count("r0"."f_00f00000000013000000000000") as "c2", min("r0"."f_00f00000000021000000000000") as "a3"
from "c_00k00000000001000000000000" as "r0"
where "r0"."f_00f00000000014000000000000" = $1
having count(*) > 0
-- [true]
