import { casePairs } from '#domain/formulas/operations/texts.ts'
import { procedure, sqlFunction } from './define-function.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

const MAX = '100000'

const TEXT = procedure(
  'dossier_text(t text) -> text',
  `begin return case when char_length(t) > ${MAX} then '' else t end; end`,
)

const COUNT = sqlFunction('dossier_count(x float8) -> int', `trunc(greatest(0, least(100001, x)))::int`)

const PLACE = sqlFunction('dossier_place(x float8) -> int', `greatest(1, trunc(greatest(0, least(100001, x)))::int)`)

const FIND = procedure(
  'dossier_find(part text, t text, start_at float8) -> float8',
  `declare place int := dossier_place(start_at); hit int;
  begin
    if part = '' then return 0; end if;
    hit := strpos(substr(t, place), part);
    return case when hit = 0 then 0 else hit + place - 1 end;
  end`,
)

const SUBSTITUTE = procedure(
  'dossier_substitute(t text, old_part text, new_part text) -> text',
  `declare occurrences bigint;
  begin
    if old_part = '' then return t; end if;
    occurrences := (char_length(t) - char_length(replace(t, old_part, ''))) / char_length(old_part);
    if char_length(t) + occurrences * (char_length(new_part) - char_length(old_part)) > ${MAX} then return ''; end if;
    return replace(t, old_part, new_part);
  end`,
)

const SUBSTITUTE_ONE = procedure(
  'dossier_substitute_one(t text, old_part text, new_part text, occurrence float8) -> text',
  `declare wanted int := dossier_count(occurrence); pos int := 1; hit int;
  begin
    if old_part = '' or wanted = 0 then return t; end if;
    loop
      hit := strpos(substr(t, pos), old_part);
      if hit = 0 then return t; end if;
      pos := pos + hit - 1;
      wanted := wanted - 1;
      exit when wanted = 0;
      pos := pos + char_length(old_part);
    end loop;
    return dossier_text(left(t, pos - 1) || new_part || substr(t, pos + char_length(old_part)));
  end`,
)

const REPLACE = procedure(
  'dossier_replace(t text, start_at float8, length float8, new_part text) -> text',
  `declare place int := dossier_place(start_at);
  begin
    return dossier_text(left(t, place - 1) || new_part || substr(t, place + dossier_count(length)));
  end`,
)

const REPEAT = procedure(
  'dossier_repeat(t text, number float8) -> text',
  `declare times bigint := dossier_count(number);
  begin
    return case when char_length(t) * times > ${MAX} then '' else repeat(t, times::int) end;
  end`,
)

const SPLIT = procedure(
  'dossier_split(t text, separator text, part float8) -> text',
  `declare wanted int := dossier_count(part);
  begin
    return case when wanted = 0 then '' else split_part(t, separator, wanted) end;
  end`,
)

const PADDING = procedure(
  'dossier_padding(t text, length float8, fill text) -> text',
  `declare missing int := least(${MAX}, dossier_count(length)) - char_length(t);
  begin
    if missing <= 0 or fill = '' then return ''; end if;
    return left(repeat(fill, missing / char_length(fill) + 1), missing);
  end`,
)

/** Ends of ranges of characters: Latin with accents, then Greek and Cyrillic, then all others. */
const RANGE_ENDS = [0xff, 0x24f, 0x52f, 0x10ffff]

/**
 * Statements that change the case of a variable. The pairs are listed, because the Unicode version of the database may
 * differ. `translate` compares each character with all of them, so pairs of rarer characters are used only if needed.
 */
function changeCase(variable: string, to: 'upper' | 'lower'): string {
  const pairs = casePairs(to)
  const [from, into] = [[...pairs.from], [...pairs.to]]
  const steps = RANGE_ENDS.map((end, at) => {
    const start = (RANGE_ENDS[at - 1] ?? 0x7f) + 1
    const within = from.flatMap((character, place) => {
      const code = character.codePointAt(0) ?? 0
      return code >= start && code <= end ? [[character, into[place] ?? ''] as const] : []
    })
    const [one, other] = [0, 1].map((side) => quoted(within.map((pair) => pair[side]).join('')))
    const changed = characterClass(within.map(([character]) => character.codePointAt(0) ?? 0))
    return `if ${variable} ~ '${changed}' then ${variable} := translate(${variable}, ${one}, ${other}); end if;`
  })
  return steps.join('\n')
}

/** `codes` in ascending order. */
function characterClass(codes: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const code of codes) {
    const last = ranges.at(-1)
    if (last && last[1] === code - 1) last[1] = code
    else ranges.push([code, code])
  }
  const escaped = (code: number): string => String.raw`\U${code.toString(16).padStart(8, '0')}`
  return `[${ranges.map(([from, to]) => `${escaped(from)}-${escaped(to)}`).join('')}]`
}

const caseFunction = (to: 'upper' | 'lower'): string =>
  procedure(
    `dossier_${to}(t text) -> text`,
    `declare plain text := ${to}(t collate "C");
    begin
      if octet_length(plain) = char_length(plain) then return plain; end if;
      ${changeCase('plain', to)}
      return plain;
    end`,
  )

/** Combining marks, as a character class. */
const combiningMarks = (): string =>
  characterClass(
    Array.from({ length: 0xe01f0 - 0x300 }, (_, at) => at + 0x300).filter(
      (code) => (code < 0xd800 || code > 0xdfff) && /^\p{M}$/u.test(String.fromCodePoint(code)),
    ),
  )

/** Most accented texts are ASCII after their accents have been removed. */
function fold(): string {
  const marks = combiningMarks()
  return procedure(
    'dossier_fold(t text) -> text',
    `declare plain text; bare text;
    begin
      if octet_length(t) = char_length(t) then return lower(t collate "C"); end if;
      plain := lower(normalize(t, NFKD) collate "C");
      bare := regexp_replace(plain, '${marks}', '', 'g');
      if octet_length(bare) = char_length(bare) then return bare; end if;
      ${changeCase('plain', 'lower')}
      return translate(regexp_replace(normalize(plain, NFKD), '${marks}', '', 'g'), 'ς', 'σ');
    end`,
  )
}

const LESS = procedure(
  'dossier_less(one text, other text, or_equal boolean) -> boolean',
  `declare a text := dossier_fold(one); b text := dossier_fold(other);
  begin
    if one = '' or other = '' then return false; end if;
    if a <> b then return a collate "C" < b collate "C"; end if;
    return one collate "C" < other collate "C" or (or_equal and one = other);
  end`,
)

const FOLD_ENDS = procedure(
  'dossier_fold_ends(t text, part text) -> boolean',
  `declare a text := dossier_fold(t); b text := dossier_fold(part);
  begin
    return t <> '' and right(a, char_length(b)) = b;
  end`,
)

const ENCODE_URL = sqlFunction(
  'dossier_encode_url(t text) -> text',
  `coalesce((
    select string_agg(
      case when chr ~ '[A-Za-z0-9_.~-]' and octet_length(chr) = 1 then chr
        else regexp_replace(upper(encode(convert_to(chr, 'UTF8'), 'hex')), '(..)', '%\\1', 'g') end,
      '' order by place)
    from regexp_split_to_table(t, '') with ordinality as characters(chr, place)
  ), '')`,
)

export const textFunctions = (): readonly string[] => [
  TEXT,
  COUNT,
  PLACE,
  FIND,
  SUBSTITUTE,
  SUBSTITUTE_ONE,
  REPLACE,
  REPEAT,
  SPLIT,
  PADDING,
  caseFunction('upper'),
  caseFunction('lower'),
  fold(),
  LESS,
  FOLD_ENDS,
  ENCODE_URL,
]
