select sizes.*,
  sum(sizes.size) over (order by "sizes"."k0" asc nulls last, "sizes"."k1" asc nulls last rows unbounded preceding) - sizes.size as begins,
  count(*) over () as total
from (select "r0"."f_00f00000000033000000000000_fold" as "k0", "r0"."f_00f00000000033000000000000" as "k1", size, "a0", "c0"
  from (select held.*, (dossier_fold("held"."f_00f00000000033000000000000") collate "C") as "f_00f00000000033000000000000_fold" from (
    select "r0"."f_00f00000000033000000000000", count(*) as size, coalesce(sum(case when "r0"."f_00f00000000032000000000000" between -1e9 and 1e9 then case when round("r0"."f_00f00000000032000000000000" * 1e6) / 1e6 = "r0"."f_00f00000000032000000000000" then ("r0"."f_00f00000000032000000000000" * 1e6)::int8 end end), 0) * 0.000001 + coalesce(sum(case when case when "r0"."f_00f00000000032000000000000" between -1e9 and 1e9 then case when round("r0"."f_00f00000000032000000000000" * 1e6) / 1e6 = "r0"."f_00f00000000032000000000000" then ("r0"."f_00f00000000032000000000000" * 1e6)::int8 end end is null then "r0"."f_00f00000000032000000000000"::numeric end), 0) as "a0", count("r0"."f_00f00000000032000000000000") as "c0"
    from (select (nullif(coalesce(dossier_text(coalesce(dossier_upper(coalesce("r0"."f_00f00000000010000000000000", '')), '') || cast(E'! ' as text) || coalesce(case "r0"."f_00f00000000017000000000000" when '00h00000000001000000000000' then cast(E'Poetry' as text) when '00h00000000002000000000000' then cast(E'essay' as text) when '00h00000000003000000000000' then cast(E'Ünreal' as text) when '00h00000000004000000000000' then cast(E'crime' as text) when '00h00000000005000000000000' then cast(E'100%' as text) end, '')), ''), '') collate "C") as "f_00f00000000033000000000000", ((dossier_number((dossier_number(dossier_number("r0"."f_00f00000000021000000000000") * cast(2 as double precision))) + (dossier_number((coalesce(dossier_number("r0"."f_00f00000000013000000000000"), cast(0 as double precision))) / nullif(cast(1000000 as double precision), 0)))))) as "f_00f00000000032000000000000" from "c_00k00000000001000000000000" as "r0"
    where 1 = 1 offset 0) as "r0"
    group by "r0"."f_00f00000000033000000000000"
  ) as held) as "r0") as sizes
order by "sizes"."k0" asc nulls last, "sizes"."k1" asc nulls last
limit $1 offset $2
-- [100,0]
