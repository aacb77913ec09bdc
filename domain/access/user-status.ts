/**
 * A user's status in filters: can sign in, invited, deactivated, or without a second factor. A deactivated user has no
 * other status.
 */
export const USER_STATUSES = ['here', 'invited', 'locked-out', 'no-factor'] as const

/** One of these. */
export type UserStatus = (typeof USER_STATUSES)[number]
