import { expect, test } from 'vitest'
import { toDiskProblem } from './file-system.ts'
import { describeSqliteStartError, toDatabaseError } from '#server/platform/database/sqlite/sqlite-errors.ts'

test.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EPERM', 'EACCES', 'EIO'])(
  'a disk error (%s) is reported as a disk error with a retry time, never as a server error',
  (code) => {
    const reported = toDiskProblem(Object.assign(new Error(`${code}: write`), { code }))
    expect(reported).toMatchObject({ status: 503, details: { retryAfterSeconds: 60 } })
  },
)

test('an error of another kind is not reported as a disk error', () => {
  expect(toDiskProblem(new Error('no'))).toBeUndefined()
  expect(toDiskProblem(Object.assign(new Error('no'), { code: 'ENOENT' }))).toBeUndefined()
})

test.each(['SQLITE_FULL', 'SQLITE_READONLY', 'SQLITE_READONLY_DBMOVED', 'SQLITE_IOERR_WRITE'])(
  'a database disk error (%s) reports that nothing was changed, with a retry time',
  (code) => {
    const reported = toDatabaseError({ code, message: 'it cannot be written' })
    expect(reported).toMatchObject({ status: 503, details: { retryAfterSeconds: expect.any(Number) } })
    expect(reported.message).toContain('Nothing was changed')
  },
)

test.each(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'])(
  'startup on a full disk (%s) reports that the disk is full',
  (code) => {
    const error = toDatabaseError({ code, message: 'disk I/O error' })
    expect(describeSqliteStartError(error, 'dossier.db')).toBe(
      'The disk of dossier.db is full. Free up space, then start again.',
    )
  },
)
