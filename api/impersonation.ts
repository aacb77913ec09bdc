import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const startImpersonation = endpoint({
  method: 'POST',
  path: '/api/view-as',
  summary:
    'Start viewing as another user (impersonation). Requests of this session with their ID in the `View-As` header are then handled as that user, read-only.',
  body: z.strictObject({ user: z.string().max(60) }),
  response: z.object({ user: z.object({ id: z.string(), name: z.string() }) }),
  status: 201,
  problems: ['not-found', 'forbidden', 'view-as-read-only'],
})

export const stopImpersonation = endpoint({
  method: 'DELETE',
  path: '/api/view-as',
  summary: 'Stop viewing as another user (idempotent). It also ends with the session.',
  response: 'empty',
})
