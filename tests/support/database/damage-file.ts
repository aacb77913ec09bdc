import { open } from 'node:fs/promises'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'

/** Overwrites a page of the first table or index whose name matches, as a failing disk does; returns the name. */
export async function damageFile(dataFolder: string, fits: RegExp, place: 'first' | 'middle'): Promise<string> {
  const file = join(dataFolder, 'dossier.db')
  const { name, page, size } = findPage(file, fits, place)
  const handle = await open(file, 'r+')
  await handle.write(Buffer.alloc(size, 0xab), 0, size, (page - 1) * size)
  await handle.close()
  return name
}

type Pages = { readonly name: string; readonly page: number }

function findPage(file: string, fits: RegExp, place: 'first' | 'middle') {
  const db = new BetterSqlite(file)
  try {
    db.pragma('wal_checkpoint(truncate)')
    const rows = db.prepare('select name, pageno as page from dbstat order by pageno').all() as Pages[]
    const pages = rows.filter(({ name }) => fits.test(name))
    const found = pages.at(place === 'first' ? 0 : Math.floor(pages.length / 2))
    if (!found) throw new Error(`Nothing in the file is called ${fits.source}.`)
    return { ...found, size: Number(db.pragma('page_size', { simple: true })) }
  } finally {
    db.close()
  }
}
