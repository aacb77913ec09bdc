import { procedure, sqlFunction } from './define-function.ts'

/** Dates are in the years 1 to 9999. */
const isInCalendar = (wall: string): string => `${wall} between '0001-01-01 00:00:00' and '9999-12-31 23:59:59.999'`

const IN_CALENDAR = procedure(
  'dossier_in_calendar(w timestamp) -> timestamp',
  `begin
    return case when ${isInCalendar('w')} then w end;
  end`,
)

/** Local time of an instant. */
const WALL = procedure(
  'dossier_wall(instant text, zone text) -> timestamp',
  `declare w timestamp := instant::timestamptz at time zone zone;
  begin
    return case when ${isInCalendar('w')} then w end;
  end`,
)

/** PostgreSQL's own conversions depend on settings of the session, so it doesn't permit them in indexes. */
const WALL_OF_DAY = procedure(
  'dossier_wall_of_day(day text) -> timestamp',
  "begin return (day || ' 00:00:00')::timestamp; end",
)

const FORMAT = procedure('dossier_format(w timestamp, format text) -> text', 'begin return to_char(w, format); end')

const ISO_FORMAT = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'

const ISO = sqlFunction('dossier_iso(w timestamp) -> text', `to_char(w, '${ISO_FORMAT}')`)

/**
 * Like `instantOf`: the first instant if a local time occurs twice; for a skipped time, with the offset from before the
 * change.
 */
const INSTANT = procedure(
  'dossier_instant(w timestamp, zone text) -> text',
  `declare
    as_utc timestamptz := w at time zone 'UTC';
    before timestamptz;
    after timestamptz;
    found timestamptz;
    as_wall timestamp;
  begin
    before := as_utc - (((as_utc - interval '24 hours') at time zone zone) - ((as_utc - interval '24 hours') at time zone 'UTC'));
    after := as_utc - (((as_utc + interval '24 hours') at time zone zone) - ((as_utc + interval '24 hours') at time zone 'UTC'));
    found := least(
      case when before at time zone zone = w then before end,
      case when after at time zone zone = w then after end);
    as_wall := coalesce(found, before) at time zone 'UTC';
    return case when ${isInCalendar('as_wall')} then to_char(as_wall, '${ISO_FORMAT}') end;
  end`,
)

const MONTHS = `case unit when 'month' then 1 when 'quarter' then 3 when 'year' then 12 else 0 end`

const UNIT_MS = `case unit when 'millisecond' then 1 when 'second' then 1000 when 'minute' then 60000
  when 'hour' then 3600000 when 'day' then 86400000 when 'week' then 604800000 else 0 end`

const SHIFT = procedure(
  'dossier_shift(w timestamp, number float8, unit text) -> timestamp',
  `declare
    months int := ${MONTHS};
    amount float8 := trunc(number);
    reached timestamp;
  begin
    if months > 0 then
      if abs(amount * months) > 120000
        or extract(year from w) * 12 + extract(month from w) - 1 + amount * months not between 12 and 119999 then
        return null;
      end if;
      reached := w + make_interval(months => (amount * months)::int);
      return case when ${isInCalendar('reached')} then reached end;
    end if;
    amount := amount * (${UNIT_MS});
    if extract(epoch from w)::float8 * 1000 + amount not between -62135596800000 and 253402300799999 then return null; end if;
    reached := w + make_interval(
      days => trunc(amount / 86400000)::int, secs => (amount - trunc(amount / 86400000) * 86400000) / 1000);
    return case when ${isInCalendar('reached')} then reached end;
  end`,
)

const DIFFERENCE = procedure(
  'dossier_difference(later timestamp, earlier timestamp, unit text) -> float8',
  `declare
    in_months int := ${MONTHS};
    months int;
    reached timestamp;
  begin
    if in_months = 0 then
      return trunc((extract(epoch from later) - extract(epoch from earlier)) * 1000 / (${UNIT_MS}));
    end if;
    months := (extract(year from later) - extract(year from earlier)) * 12
      + extract(month from later) - extract(month from earlier);
    reached := earlier + make_interval(months => months);
    if not (${isInCalendar('reached')}) then reached := later; end if;
    if later >= earlier and reached > later then months := months - 1; end if;
    if later < earlier and reached < later then months := months + 1; end if;
    return trunc(months::numeric / in_months);
  end`,
)

const DAY_NUMBER = sqlFunction('dossier_day_number(w timestamp) -> int', `w::date - date '1970-01-01'`)

const WEEK = sqlFunction(
  'dossier_week(w timestamp, first_day text) -> float8',
  `floor((extract(doy from w) - 1 + case first_day when 'monday' then extract(isodow from date_trunc('year', w)) - 1
    else extract(dow from date_trunc('year', w)) end) / 7) + 1`,
)

const MAKE_DAY = procedure(
  'dossier_make_day(y float8, m float8, d float8) -> text',
  `begin
    if trunc(y) not between 1 and 9999 or trunc(m) not between 1 and 12 or trunc(d) not between 1 and 31 then return null; end if;
    if trunc(d) > extract(day from make_date(trunc(y)::int, trunc(m)::int, 1) + interval '1 month' - interval '1 day') then
      return null;
    end if;
    return to_char(make_date(trunc(y)::int, trunc(m)::int, trunc(d)::int), 'YYYY-MM-DD');
  end`,
)

const READ_DAY = procedure(
  'dossier_read_day(t text) -> text',
  `begin
    if t !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' then return null; end if;
    return dossier_make_day(left(t, 4)::float8, substr(t, 6, 2)::float8, right(t, 2)::float8);
  end`,
)

/** `places`: positions of year, month, day, hour, minute and second in the pattern; 0 if absent. */
const READ_DATE = procedure(
  'dossier_read_date(t text, pattern text, places int[]) -> timestamp',
  `declare
    parts text[] := regexp_match(t, pattern);
    day text;
    hour int;
    minute int;
    second int;
  begin
    if parts is null then return null; end if;
    day := dossier_make_day(parts[places[1]]::float8, parts[places[2]]::float8, parts[places[3]]::float8);
    hour := case when places[4] > 0 then parts[places[4]]::int else 0 end;
    minute := case when places[5] > 0 then parts[places[5]]::int else 0 end;
    second := case when places[6] > 0 then parts[places[6]]::int else 0 end;
    if day is null or hour > 23 or minute > 59 or second > 59 then return null; end if;
    return day::date + make_time(hour, minute, second);
  end`,
)

const WORKDAYS_BEFORE = sqlFunction(
  'dossier_workdays_before(d int) -> int',
  `(floor((d + 3) / 7.0) * 5 + least(d + 3 - floor((d + 3) / 7.0) * 7, 5))::int`,
)

const WORKDAY = procedure(
  'dossier_workday(w timestamp, number float8) -> text',
  `declare
    start int := dossier_day_number(w);
    nth float8;
    day float8;
  begin
    if trunc(number) = 0 then return to_char(w, 'YYYY-MM-DD'); end if;
    if abs(trunc(number)) > 4e14 / 86400000 then return null; end if;
    nth := case when number > 0 then dossier_workdays_before(start + 1) + trunc(number) - 1
      else dossier_workdays_before(start) + trunc(number) end;
    day := floor(nth / 5) * 7 + (nth - floor(nth / 5) * 5) - 3;
    if day not between -719162 and 2932896 then return null; end if;
    return to_char(dossier_in_calendar(timestamp '1970-01-01' + make_interval(days => day::int)), 'YYYY-MM-DD');
  end`,
)

const WORKDAY_DIFFERENCE = procedure(
  'dossier_workday_difference(one timestamp, other timestamp) -> float8',
  `declare a int := dossier_day_number(one); b int := dossier_day_number(other);
  begin
    if b >= a then return dossier_workdays_before(b + 1) - dossier_workdays_before(a); end if;
    return dossier_workdays_before(b) - dossier_workdays_before(a + 1);
  end`,
)

export const dateFunctions = (): readonly string[] => [
  IN_CALENDAR,
  WALL,
  WALL_OF_DAY,
  FORMAT,
  ISO,
  INSTANT,
  SHIFT,
  DIFFERENCE,
  DAY_NUMBER,
  WEEK,
  MAKE_DAY,
  READ_DAY,
  READ_DATE,
  WORKDAYS_BEFORE,
  WORKDAY,
  WORKDAY_DIFFERENCE,
]
