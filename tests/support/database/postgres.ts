import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

/** A database of its own for one test file: its address, and its removal. */
export type TestDatabase = { readonly url: string; readonly drop: () => Promise<void> }

/** The PostgreSQL of this run: the one PG_URL names, else one that npm brought and that ends with `stop`. */
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
 * Makes a database on the server that PG_URL names, empty or as a copy of another to which nobody is connected; the caller
 * drops it when its tests are over.
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
