/** Routes that the oracle requests, with and without permission. */
export const TESTED_ROUTES: readonly string[] = [
  'GET /api/auth/user',
  'POST /api/explain',
  'GET /api/audit',
  'GET /api/audit.csv',
  'GET /api/users',
  'GET /api/roles',
  'GET /api/policies',
  'GET /api/outbox',
  'GET /api/workspace/session-policy',
  'GET /api/workspace/storage',
  'GET /api/collections',
  'GET /api/collections/:collection',
  'PATCH /api/collections/:collection',
  'DELETE /api/collections/:collection',
  'PATCH /api/collections/:collection/fields/:field',
  'GET /api/collections/:collection/indexes',
  'GET /api/collections/:collection/search-index',
  'GET /api/collections/:collection/records',
  'POST /api/collections/:collection/records',
  'GET /api/collections/:collection/records/:record',
  'PATCH /api/collections/:collection/records/:record',
  'DELETE /api/collections/:collection/records/:record',
  'GET /api/collections/:collection/sums',
  'GET /api/collections/:collection/groups',
  'POST /api/collections/:collection/records/bulk',
  'POST /api/collections/:collection/records/bulk/count',
  'GET /api/collections/:collection/records/:record/transitions',
  'POST /api/collections/:collection/records/:record/transitions',
  'GET /api/jobs',
  'GET /api/jobs/:job',
  'DELETE /api/jobs/:job',
  'GET /api/home/counts',
  'GET /api/home/moves',
  'GET /api/search',
  'GET /api/people',
  'POST /api/tus',
  'HEAD /api/tus/:upload',
  'DELETE /api/tus/:upload',
  'HEAD /api/uploads/:upload',
  'GET /api/uploads',
  'GET /api/files/:file',
  'POST /api/imports',
  'POST /api/imports/:import/start',
  'POST /api/imports/:import/look',
  'GET /api/imports/:import',
  'DELETE /api/imports/:import',
  'GET /api/imports/:import/errors.csv',
  'POST /api/collections/:collection/imports',
  'GET /api/collections/:collection/imports/:import',
  'GET /api/collections/:collection/export.csv',
  'GET /api/collections/:collection/records/:record/history',
  'GET /api/trash',
  'GET /api/activity',
  'GET /api/changes',
]

const ACCOUNTS = 'accounts and sessions, no record data: covered by the route matrix and the session tests'
const OFFICE = 'workspace administration, interactive only: covered by the route matrix'
const DEFINITIONS = 'creates or deletes a definition and returns no values: covered by the collection tests'
const SAME_RULES = 'the same as the tus routes: covered by the upload tests'
const ARCHIVES = 'files are requested one by one here: archives are covered by their own tests'
const NOTHING = 'returns nothing about the workspace'

/** Routes covered by other tests, with the reason; a trailing `*` matches every route with that prefix. */
const EXCLUDED: readonly (readonly [route: string, reason: string])[] = [
  ['GET /api/health', NOTHING],
  ['GET /api/ready', NOTHING],
  ['GET /metrics', NOTHING],
  ['* /api/auth/*', ACCOUNTS],
  ['* /api/setup*', ACCOUNTS],
  ['* /api/account/*', ACCOUNTS],
  ['* /api/invitations/*', ACCOUNTS],
  ['* /api/tokens*', ACCOUNTS],
  ['* /api/view-as*', 'the oracle impersonates users with it; who may start is covered by the impersonation tests'],
  ['* /api/users*', OFFICE],
  ['* /api/roles*', OFFICE],
  ['* /api/policies*', OFFICE],
  ['* /api/workspace/*', OFFICE],
  ['* /api/sample*', OFFICE],
  ['* /api/templates*', DEFINITIONS],
  ['GET /api/openapi.json', 'what it leaves out is covered by the tests of the document'],
  ['PUT /api/sidebar', DEFINITIONS],
  ['* /api/favourites*', 'returns only what the oracle requests elsewhere: covered by the sidebar tests'],
  ['POST /api/collections', DEFINITIONS],
  ['POST /api/collections/:collection/fields', DEFINITIONS],
  ['DELETE /api/collections/:collection/fields/:field', DEFINITIONS],
  ['* /api/collections/:collection/fields/:field/recalculation', 'for managers: covered by the rollup tests'],
  [
    'POST /api/collections/:collection/export.csv',
    'the same export for selected records: covered by the selection tests',
  ],
  ['GET /api/views', 'names of views only: covered by the view tests'],
  ['* /api/collections/:collection/views*', 'a view runs with the rights of its reader: covered by the view tests'],
  ['* /api/collections/:collection/files.zip', ARCHIVES],
  ['GET /api/collections/:collection/records/:record/files.zip', ARCHIVES],
  ['GET /api/collections/:collection/records/:record/archive', ARCHIVES],
  ['POST /api/collections/:collection/archive', ARCHIVES],
  ['POST /api/collections/:collection/files-by-form.zip', ARCHIVES],
  ['POST /api/change-sets/:changeSet/undo', 'opposite changes: covered by the tests of undoing changes'],
  [
    'POST /api/collections/:collection/records/:record/transitions/undo',
    'restores what the same user just changed: covered by the workflow tests',
  ],
  [
    'POST /api/collections/:collection/records/:record/history/:entry/restore',
    'writes what its caller may read and change: covered by the history tests',
  ],
  ['POST /api/history/erase', 'owners only: covered by the history tests'],
  ['* /api/trash/*', 'restoring and deleting permanently, and deleted definitions: covered by the trash tests'],
  ['POST /api/imports/:import/check', 'checks a file with the rights that the import has: covered by the import tests'],
  ['POST /api/people/find', 'searches the list of people, which the oracle requests: covered by its own tests'],
  ['GET /api/files/:file/place', 'readable like the file, which the oracle requests: covered by the file tests'],
  ['OPTIONS /api/tus', NOTHING],
  ['PATCH /api/tus/:upload', 'files are sent whole here: chunks are covered by the upload tests'],
  ['POST /api/uploads', SAME_RULES],
  ['HEAD /api/uploads', SAME_RULES],
  ['PATCH /api/uploads*', SAME_RULES],
  ['DELETE /api/uploads*', SAME_RULES],
]

export const isExcluded = (door: string): boolean =>
  EXCLUDED.some(([route]) => {
    const [method = '', path = ''] = route.split(' ')
    const [requested = '', at = ''] = door.split(' ')
    const isPath = path.endsWith('*') ? at.startsWith(path.slice(0, -1)) : at === path
    return isPath && (method === '*' || method === requested)
  })
