import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const beginViewAs = endpoint({
  method: 'POST',
  path: '/api/view-as',
  summary:
    'Begin to look at the product as another user sees it. From then on requests of this session that name them in the header View-As are answered as to them, and can only read.',
  body: z.strictObject({ user: z.string().max(60) }),
  answer: z.object({ user: z.object({ id: z.string(), name: z.string() }) }),
  status: 201,
  problems: ['not-found', 'forbidden', 'view-as-read-only'],
})

export const endViewAs = endpoint({
  method: 'DELETE',
  path: '/api/view-as',
  summary: 'Stop looking as somebody else; nothing happens where nobody does. It ends with the session by itself.',
  answer: 'empty',
})
