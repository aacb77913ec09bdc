select count(*) as total from (select 1 as one from "c_00k00000000001000000000000" as "r0" where "r0"."f_00f00000000014000000000000" = ? limit 10001) as counted
-- [0]
