import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { generateRecords, personNamed, SEARCHED_TERM } from '../setup/generated-records.ts'

export type BaselineStore = { readonly [Question in BaselineQuery]: (given: URLSearchParams) => unknown }

/** The benchmark's queries as SQL. */
export type BaselineQuery =
  | 'read'
  | 'page'
  | 'sorted'
  | 'filter'
  | 'search'
  | 'deep'
  | 'deepSorted'
  | 'groups'
  | 'contains'
  | 'create'
  | 'update'

const SCHEMA = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma cache_size = -65536;
  create table items (id integer primary key, title text not null, body text, status text, amount real, made_at text,
    due text, done integer, owner text, tags text, remark text);`

const INDEXES = `
  create index by_amount on items (amount);
  create index by_title on items (title);
  create index by_status on items (status, amount, made_at);
  create virtual table words using fts5 (title, body, content='items', content_rowid='id', tokenize='trigram');
  insert into words (words) values ('rebuild');
  create trigger items_in after insert on items begin
    insert into words (rowid, title, body) values (new.id, new.title, new.body);
  end;
  create trigger items_changed after update on items begin
    insert into words (words, rowid, title, body) values ('delete', old.id, old.title, old.body);
    insert into words (rowid, title, body) values (new.id, new.title, new.body);
  end;
  analyze;`

const COLUMNS = ['title', 'body', 'status', 'amount', 'made_at', 'due', 'done', 'owner', 'tags', 'remark'] as const
const INSERT = `insert into items (${COLUMNS.join(', ')}) values (${COLUMNS.map((name) => `:${name}`).join(', ')})`

/** Fills a database with the generated records and creates indexes for the benchmark's queries. */
export function fillBaseline(file: string, count: number): void {
  const db = new DatabaseSync(file)
  db.exec(SCHEMA)
  const insert = db.prepare(INSERT)
  db.exec('begin')
  for (const { madeAt, isDone, owner, tags, ...made } of generateRecords(count)) {
    insert.run({
      ...made,
      made_at: madeAt,
      done: Number(isDone),
      owner: personNamed(owner),
      tags: JSON.stringify(tags),
    })
  }
  db.exec('commit')
  db.exec(INDEXES)
  db.close()
}

const FILTER = `status = '${SEARCHED_TERM.status}' and amount >= ${SEARCHED_TERM.min} and amount <= ${SEARCHED_TERM.max}`

/** Opens a filled database with prepared statements. */
export function openBaselineStore(file: string): BaselineStore {
  const db = new DatabaseSync(file)
  db.exec('pragma synchronous = full; pragma cache_size = -65536; pragma mmap_size = 1073741824;')
  const prepare = (sql: string): StatementSync => db.prepare(sql)
  const countOf = (statement: StatementSync, ...given: string[]) => Number(statement.get(...given)?.['n'])

  const read = prepare('select * from items where id = ?')
  const page = prepare('select * from items order by id limit 50')
  const sortedBy = new Map(
    ['amount desc', 'title'].map((order) => [order, prepare(`select * from items order by ${order}, id limit 50`)]),
  )
  const filter = prepare(`select * from items where ${FILTER} order by made_at, id limit 50`)
  const filterCount = prepare(`select count(*) as n from items where ${FILTER}`)
  const found = '(select rowid from words where words match ?)'
  const search = prepare(`select * from items where id in ${found} order by id limit 50`)
  const searchCount = prepare('select count(*) as n from words where words match ?')
  const deep = prepare('select * from items order by id limit 50 offset ?')
  const deepSorted = prepare('select * from items order by amount desc, id limit 50 offset ?')
  const groups = prepare('select status, count(*) as n, sum(amount) as total from items group by status')
  const contains = prepare("select * from items where body like '%' || ? || '%' order by title desc limit 50")
  const containsCount = prepare("select count(*) as n from items where body like '%' || ? || '%'")
  const insert = prepare(INSERT)
  const update = prepare('update items set title = ?, amount = ? where id = ?')

  const items = (statement: StatementSync, ...given: string[]) => ({ items: statement.all(...given) })
  const part = (given: URLSearchParams, name: string) => given.get(name) ?? ''
  const from = (given: URLSearchParams) => String((Number(given.get('page')) - 1) * 50)
  return {
    read: (given) => read.get(part(given, 'id')),
    page: () => items(page),
    sorted: (given) => ({ items: sortedBy.get(part(given, 'by'))?.all() }),
    filter: () => ({ ...items(filter), total: countOf(filterCount) }),
    search: (given) => {
      const quoted = `"${part(given, 'word')}"`
      return { ...items(search, quoted), total: countOf(searchCount, quoted) }
    },
    deep: (given) => items(deep, from(given)),
    deepSorted: (given) => items(deepSorted, from(given)),
    groups: () => ({
      groups: groups.all().map(({ status, n, total }) => ({ key: { status }, count: n, aggregates: { sum: total } })),
    }),
    contains: (given) => {
      const word = part(given, 'word')
      return { ...items(contains, word), total: countOf(containsCount, word) }
    },
    create: (given) => {
      const values = Object.fromEntries(COLUMNS.map((name) => [name, given.get(name)]))
      return { id: Number(insert.run(values).lastInsertRowid) }
    },
    update: (given) => {
      update.run(part(given, 'title'), part(given, 'amount'), part(given, 'id'))
      return read.get(part(given, 'id'))
    },
  }
}
