import type { SessionUser } from '#api/sessions.ts'

/** Who is really signed in: whoever looks at the product as somebody else is still themselves to the session. */
export const signedInUserId = ({ id, view_as: view }: SessionUser): string => (view?.is_on === true ? view.by.id : id)
