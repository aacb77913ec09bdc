/** Routes requested by the oracle, with and without permission. */
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
]

const ACCOUNTS = 'accounts and sessions, and nothing of records: the matrix and the tests of sessions'
const OFFICE = 'for those who run the workspace, by hand; the oracle asks the lists, and the matrix all of them'
const DEFINITIONS = 'makes or removes a definition and tells no value: the tests of collections'
const SAME_RULES = 'another name for what is asked by the door of tus: the tests of uploads'
const ARCHIVES = 'files are asked one by one here; their archives are for the tests of archives'
const NOTHING = 'says nothing of what is in the workspace'

/** Routes left to other tests, with the reason; one that ends with `*` stands for all with that prefix. */
const LEFT: readonly (readonly [door: string, because: string])[] = [
  ['GET /api/health', NOTHING],
  ['GET /api/ready', NOTHING],
  ['GET /metrics', NOTHING],
  ['* /api/auth/*', ACCOUNTS],
  ['* /api/setup*', ACCOUNTS],
  ['* /api/account/*', ACCOUNTS],
  ['* /api/invitations/*', ACCOUNTS],
  ['* /api/tokens*', ACCOUNTS],
  ['* /api/view-as*', 'the oracle looks as somebody else by it; who may begin is for the tests of looking'],
  ['* /api/users*', OFFICE],
  ['* /api/roles*', OFFICE],
  ['* /api/policies*', OFFICE],
  ['* /api/workspace/*', OFFICE],
  ['* /api/sample*', OFFICE],
  ['* /api/templates*', DEFINITIONS],
  ['GET /api/openapi.json', 'what it leaves out is asked of the document itself, by its own tests'],
  ['PUT /api/sidebar', DEFINITIONS],
  ['* /api/favourites*', 'what one sees is asked here; that favourites are no more is for the tests of the sidebar'],
  ['POST /api/collections', DEFINITIONS],
  ['POST /api/collections/:collection/fields', DEFINITIONS],
  ['DELETE /api/collections/:collection/fields/:field', DEFINITIONS],
  ['POST /api/collections/:collection/export.csv', 'the same export, of some of its records: the tests of selections'],
  ['* /api/collections/:collection/views*', 'a view is asked with its reader’s own rights: the tests of views'],
  ['* /api/collections/:collection/files.zip', ARCHIVES],
  ['GET /api/collections/:collection/records/:record/files.zip', ARCHIVES],
  ['GET /api/collections/:collection/records/:record/archive', ARCHIVES],
  ['POST /api/collections/:collection/archive', ARCHIVES],
  ['POST /api/collections/:collection/files-by-form.zip', ARCHIVES],
  ['POST /api/change-sets/:changeSet/undo', 'restores what its own actor deleted: the tests of undoing a deletion'],
  [
    'GET /api/collections/:collection/records/:record/status-history',
    'judged like its record and field: the noninterference test and the tests of workflows',
  ],
  [
    'POST /api/collections/:collection/records/:record/transitions/undo',
    'restores what its own actor just changed: the tests of workflows',
  ],
  ['POST /api/people/find', 'finds in the list of people, which is asked: the tests of finding people by name'],
  ['GET /api/files/:file/place', 'judged like the file itself, which is asked; the tests of files'],
  ['OPTIONS /api/tus', NOTHING],
  ['PATCH /api/tus/:upload', 'files are sent whole here; chunks are for the tests of uploads'],
  ['POST /api/uploads', SAME_RULES],
  ['HEAD /api/uploads', SAME_RULES],
  ['PATCH /api/uploads*', SAME_RULES],
  ['DELETE /api/uploads*', SAME_RULES],
]

export const isExcluded = (door: string): boolean =>
  LEFT.some(([left]) => {
    const [method = '', path = ''] = left.split(' ')
    const [requested = '', at = ''] = door.split(' ')
    const isPath = path.endsWith('*') ? at.startsWith(path.slice(0, -1)) : at === path
    return isPath && (method === '*' || method === requested)
  })
