/**
 * How somebody stands with the workspace, as one looks for people: they can sign in, were invited and have not come yet,
 * are locked out, or can sign in without a second factor. Whoever is locked out stands as nothing else.
 */
export const USER_STATUSES = ['here', 'invited', 'locked-out', 'no-factor'] as const

/** One of these. */
export type UserStatus = (typeof USER_STATUSES)[number]
