import { procedure } from './define-function.ts'

/** Casting a double to numeric rounds it to 15 digits. */
const NUMBER = procedure(
  'dossier_number(x float8) -> float8',
  `begin
    if x = 'NaN' or abs(x) >= 1e100 then return null; end if;
    if abs(x) < 1e-100 then return 0; end if;
    return x::numeric::float8;
  end`,
)

const APPROXIMATE = procedure(
  'dossier_approximate(x float8) -> float8',
  `begin
    if x = 'NaN' or abs(x) >= 1e100 then return null; end if;
    if abs(x) < 1e-100 then return 0; end if;
    return to_char(x, '9.99999999999EEEE')::float8;
  end`,
)

const TO_STEP = procedure(
  'dossier_to_step(x float8, step float8, rounding text) -> float8',
  `declare
    v numeric := x::numeric;
    s numeric := abs(step)::numeric;
    q numeric;
    r numeric;
    result float8;
  begin
    if s = 0 then return null; end if;
    q := div(v, s);
    r := v - q * s;
    if r <> 0 then
      q := q + case rounding
        when 'down' then case when r < 0 then -1 else 0 end
        when 'up' then case when r < 0 then 0 else 1 end
        when 'away' then sign(r)
        when 'half' then case when r < 0 then case when -r * 2 > s then -1 else 0 end
          when r * 2 >= s then 1 else 0 end
        else 0 end;
    end if;
    result := (q * s)::float8;
    if abs(result) >= 1e100 then return null; end if;
    if abs(result) < 1e-100 then return 0; end if;
    return result::numeric::float8;
  end`,
)

/** The step to which a number of decimals rounds. */
const STEP_OF = procedure(
  'dossier_step_of(places float8) -> float8',
  `begin return ('1e' || -trunc(greatest(-100, least(100, places)))::int)::float8; end`,
)

const ODD = procedure(
  'dossier_odd(x float8) -> float8',
  `begin
    if x = 0 then return 1; end if;
    return dossier_number(sign(x) * (dossier_to_step(dossier_number(abs(x) + 1), 2, 'up') - 1));
  end`,
)

const SQRT = procedure(
  'dossier_sqrt(x float8) -> float8',
  'begin if x < 0 then return null; end if; return dossier_number(sqrt(x)); end',
)

const EXP = procedure(
  'dossier_exp(x float8) -> float8',
  `begin
    if x > 231 then return null; end if;
    if x < -231 then return 0; end if;
    return dossier_approximate(exp(x));
  end`,
)

const LN = procedure(
  'dossier_ln(x float8) -> float8',
  'begin if x <= 0 then return null; end if; return dossier_approximate(ln(x)); end',
)

const LOG = procedure(
  'dossier_log(x float8, base float8) -> float8',
  `begin
    if x <= 0 or base <= 0 or base = 1 then return null; end if;
    return dossier_approximate(ln(x) / ln(base));
  end`,
)

const POWER = procedure(
  'dossier_power(base float8, exponent float8) -> float8',
  `declare
    result float8 := 1;
    factor float8 := base;
    rest int;
    size float8;
  begin
    if exponent = trunc(exponent) and abs(exponent) <= 1000 then
      if base = 0 then return case when exponent > 0 then 0 when exponent = 0 then 1 end; end if;
      rest := abs(exponent)::int;
      while rest > 0 loop
        if rest % 2 = 1 then result := result * factor; end if;
        rest := rest / 2;
        if rest > 0 then factor := factor * factor; end if;
        if abs(result) > 1e150 or abs(factor) > 1e150 then return case when exponent > 0 then null else 0 end; end if;
        if abs(result) < 1e-150 or abs(factor) < 1e-150 then return case when exponent > 0 then 0 end; end if;
      end loop;
      return dossier_number(case when exponent < 0 then 1 / result else result end);
    end if;
    if base = 0 then return case when exponent > 0 then 0 end; end if;
    if base < 0 then return null; end if;
    size := exponent * ln(base);
    if size > 231 then return null; end if;
    if size < -231 then return 0; end if;
    return dossier_approximate(power(base, exponent));
  end`,
)

const VALUE = procedure(
  'dossier_value(t text) -> float8',
  `declare plain text;
  begin
    if char_length(t) > 200 then return null; end if;
    plain := translate(t, E'$\\u20ac\\u00a3\\u00a5, \\u00a0', '');
    if plain !~ '^[+-]?([0-9]{1,40}([.][0-9]{0,40})?|[.][0-9]{1,40})([eE][+-]?[0-9]{1,2})?$' then return null; end if;
    return dossier_number(plain::numeric::float8);
  end`,
)

export const numberFunctions = (): readonly string[] => [
  NUMBER,
  APPROXIMATE,
  TO_STEP,
  STEP_OF,
  ODD,
  SQRT,
  EXP,
  LN,
  LOG,
  POWER,
  VALUE,
]
