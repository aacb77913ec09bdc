import BetterSqlite from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SQLITE_FORMULA_FUNCTION } from './formula-function.ts'
import { openConnection } from './thread/open-connection.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dossier-formula-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const PROGRAM = JSON.stringify({
  expression: { node: 'constant', type: 'number', value: 1 },
  calendar: { now: '1970-01-01T00:00:00.000Z', timeZone: 'UTC' },
})

/** As written by another version, in a file of this application. */
function writeOutdatedIndex(file: string): void {
  const db = new BetterSqlite(file)
  db.pragma(`application_id = ${0x446f7373}`)
  db.pragma('trusted_schema = on')
  db.function('dossier_formula_0', { deterministic: true, varargs: true }, () => 0)
  db.exec('create table t (a real); insert into t values (1)')
  db.exec("create index outdated on t (dossier_formula_0('', a))")
  db.close()
}

test('indexes of formulas from another version are dropped before the first write', () => {
  const file = join(folder, 'data.db')
  writeOutdatedIndex(file)
  const first = openConnection({ role: 'writer', file })
  first.exec(`create index current on t (${SQLITE_FORMULA_FUNCTION}('${PROGRAM}', a))`)
  first.close()
  const db = openConnection({ role: 'writer', file })
  expect(db.prepare("select name from sqlite_schema where type = 'index'").pluck().all()).toEqual(['current'])
  db.exec('update t set a = 2')
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  db.close()
})

const INNOCUOUS = 0x20_0000
const DIRECT_ONLY = 0x8_0000

/** Functions and virtual tables that read or write nothing but the database file. */
const FUNCTIONS =
  /^(?:dossier_\w+|(?:bm|fts|geopoly_|rtree)\w*|highlight|match|matchinfo|median|offsets|optimize|percentile\w*|snippet)$/
const TABLES = /^(?:dbstat|fts\w+|geopoly|json_\w+|pragma_\w+|rtree\w*)$/

test('the schema of an untrusted database file can’t run code, load extensions or read files', () => {
  const file = join(folder, 'data.db')
  const db = openConnection({ role: 'writer', file })
  const functions = db
    .prepare<[], { name: string; flags: number }>('select name, flags from pragma_function_list')
    .all()
    .flatMap(({ name, flags }) => ((flags & (INNOCUOUS | DIRECT_ONLY)) === 0 ? name : []))
  expect(functions.filter((name) => !FUNCTIONS.test(name))).toEqual([])
  const tables = db.prepare<[], string>('select name from pragma_module_list').pluck().all()
  expect(tables.filter((name) => !TABLES.test(name))).toEqual([])
  for (const call of ["load_extension('x')", "fts3_tokenizer('simple', x'00')"]) {
    expect(() => db.exec(`create temp view hostile as select ${call}; select * from hostile`)).toThrow()
    expect(() => db.exec(`select ${call}`)).toThrow()
  }
  db.pragma('writable_schema = on')
  expect(db.pragma('writable_schema', { simple: true })).toBe(0)
  db.close()
})
