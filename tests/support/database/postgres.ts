import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

/** A new database, and a function that drops it. */
export type TestDatabase = { readonly url: string; readonly drop: () => Promise<void> }

/** Uses the PostgreSQL server in PG_URL; otherwise starts one from npm, which `stop` shuts down. */
export async function openPostgres(): Promise<PostgresServer> {
  const named = process.env['PG_URL']
  return named === undefined ? startPostgres() : { url: named, stop: () => Promise.resolve() }
}

async function runAsAdmin(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * Creates a database on the server in PG_URL, either empty or as a copy of a template without connections. The caller
 * must drop it.
 */
export async function createDatabase(serverUrl = process.env['PG_URL'], template = 'template0'): Promise<TestDatabase> {
  if (serverUrl === undefined)
    throw new Error('This test needs PG_URL: run it in a project whose name ends in "-postgres".')
  const name = `test_${randomBytes(8).toString('hex')}`
  await runAsAdmin(serverUrl, `create database ${name} template ${template}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => runAsAdmin(serverUrl, `drop database if exists ${name} with (force)`) }
}
