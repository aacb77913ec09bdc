select count(*) as total from (select 1 as one from "c_k0000000000000000000000001" as "r0" where "r0"."f_f0000000000000000000000014" = ? limit 10001) as counted
-- [0]
