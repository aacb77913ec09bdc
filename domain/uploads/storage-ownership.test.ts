import { expect, test } from 'vitest'
import { decideOwnership, type Ownership, type OwnershipFacts } from './storage-ownership.ts'

const NOTHING: OwnershipFacts = {
  databaseId: undefined,
  storageId: undefined,
  referenced: 0,
  present: 0,
  stored: 0,
  known: 0,
}

const CASES: readonly (readonly [string, Partial<OwnershipFacts>, Ownership])[] = [
  ['a first start', {}, 'claim'],
  ['a first start that was killed after the database had its id', { databaseId: 'a' }, 'claim'],
  ['the same id on both sides', { databaseId: 'a', storageId: 'a' }, 'match'],
  ['the same id, although files are gone', { databaseId: 'a', storageId: 'a', referenced: 9 }, 'match'],
  ['two ids', { databaseId: 'a', storageId: 'b' }, 'other-workspace'],
  ['two ids, although files agree', { databaseId: 'a', storageId: 'b', referenced: 1, present: 1 }, 'other-workspace'],
  ['a new database at the storage of a workspace without files', { storageId: 'b' }, 'other-workspace'],
  ['a new database over files', { stored: 3 }, 'unknown-files'],
  ['a new database over files with an id', { storageId: 'b', stored: 3 }, 'other-workspace'],
  ['an installation of before, with its files', { referenced: 4, present: 4, stored: 4, known: 4 }, 'claim'],
  ['an older database of before, over more files', { referenced: 4, present: 4, stored: 9, known: 4 }, 'claim'],
  ['an installation of before whose files all went lately', { stored: 4, known: 4 }, 'claim'],
  ['a database of before at the files of another', { referenced: 4, stored: 4 }, 'unknown-files'],
  [
    'two workspaces of before that share a few files',
    { referenced: 9, present: 4, stored: 9, known: 4 },
    'unknown-files',
  ],
  ['a backup of before beside its storage', { storageId: 'b', referenced: 4, present: 4, stored: 4 }, 'claim'],
  [
    'a database with an id beside files that have none',
    { databaseId: 'a', referenced: 2, present: 2, stored: 2 },
    'claim',
  ],
  ['a folder that is not mounted', { databaseId: 'a', referenced: 4 }, 'missing-files'],
  ['a folder of before that is not mounted', { referenced: 4 }, 'missing-files'],
]

test.each(CASES)('%s', (_, facts, ownership) => {
  expect(decideOwnership({ ...NOTHING, ...facts })).toBe(ownership)
})
