export function followTests(): void;
export function restFollowing(): void;
