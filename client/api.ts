// Made from openapi.json by "npm run openapi".

export interface components {
    schemas: {
        Attribute: {
            name: string;
            /** @description string, boolean, integer, dateTime, reference, complex or binary. */
            type: string;
            multiValued: boolean;
            description: string;
            required: boolean;
            caseExact?: boolean;
            /** @description readOnly, readWrite, immutable or writeOnly. */
            mutability: string;
            /** @description always, never, default or request. */
            returned: string;
            /** @description none or server. */
            uniqueness: string;
            canonicalValues?: string[];
            referenceTypes?: string[];
            /** @description The parts of a complex attribute. */
            subAttributes?: components["schemas"]["SubAttribute"][];
        };
        AuthorizationServerMetadata: {
            issuer: string;
            token_endpoint: string;
            grant_types_supported: string[];
            response_types_supported: string[];
            token_endpoint_auth_methods_supported: string[];
            scopes_supported: string[];
            service_documentation: string;
        };
        BulkAnswer: {
            schemas: string[];
            Operations: {
                /** @description POST, PUT, PATCH or DELETE. */
                method: string;
                /** @description The name under which others refer to what this creates. */
                bulkId?: string;
                /** @description The version that the resource must still have. */
                version?: string;
                /** @description Where the resource is. */
                location?: string;
                /** @description What the operation would have been answered with alone. */
                status: string;
                /** @description The error of an operation that failed. */
                response?: unknown;
            }[];
        };
        BulkRequest: {
            schemas: string[];
            /** @description How many failures end the run. */
            failOnErrors?: number;
            Operations: {
                /** @description POST, PUT, PATCH or DELETE. */
                method: string;
                /** @description The name under which others refer to what this creates. */
                bulkId?: string;
                /** @description The version that the resource must still have. */
                version?: string;
                /** @description /Users or /Groups, with an id behind it unless for POST. */
                path: string;
                /** @description The body of the operation. */
                data?: unknown;
            }[];
        };
        /**
         * @description `day` unless asked for; weeks begin on Monday (ISO 8601).
         * @enum {unknown}
         */
        CalendarUnit: "day" | "week" | "month";
        Digests: {
            /** @description The days that have responses, in their order. */
            items: {
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                day: string;
                /** @description The responses of the day, erased ones included. */
                count: number;
                /** @description SHA-256 as hexadecimal digits, made as docs/digests.md says. */
                digest: string;
            }[];
            /** @description The responses that the measure or project has in all: counts and digests are true at this point of its log. */
            position: number;
            /** @description Of whatever brought the last response. Another one at the same position means that the store has lost responses since, and has others in their place. Null where a replica of an older release brought it. */
            mark: string | null;
        };
        ExternalParametersResult: {
            /** @description False where it was only asked what would change. */
            applied: boolean;
            /** @description Responses that have a value now that they did not have. */
            changed: number;
            /** @description Responses that had everything already. */
            unchanged: number;
            /** @description Lines whose response is not known to the measure, or erased. */
            skippedCount: number;
            /** @description The first 1000 of these lines. */
            skipped: {
                line: number;
                responseId: string;
                /** @enum {unknown} */
                reason: "unknown" | "erased";
            }[];
        };
        IngestionResult: {
            message: string;
            responseCode: number;
            /** @description The id under which the response is kept. */
            responseId: string;
            /** @constant */
            responseType: "SUCCESS";
            /** Format: date-time */
            timestamp: string;
            /** @description Of a test response: the scores that it would have had. */
            preview?: {
                latentScores: {
                    id: string;
                    name: string;
                    type: string;
                    score: number | null;
                }[];
            };
        };
        InsightDifference: {
            value: number;
            /** @description At 95 %. */
            interval: number[];
            /**
             * @description up or down where the whole interval lies on one side of 0.
             * @enum {unknown}
             */
            change: "up" | "down" | "unclear";
        };
        InsightDistribution: {
            /**
             * Format: date
             * @description A UTC day, YYYY-MM-DD.
             */
            from: string;
            /**
             * Format: date
             * @description A UTC day, YYYY-MM-DD.
             */
            to: string;
            /** @description The number in force: figures of fewer responses are withheld. */
            minimum: number;
            /** @description Whether the figures go over the whole range. */
            complete: boolean;
            /** @description The days that the figures go over; null where there was time for none. */
            covered: {
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                from: string;
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                to: string;
            } | null;
            /** @description The position in the log at which the figures are true. */
            position: number;
            /** @description Responses that are not erased. */
            count: number;
            /** @description Responses that are erased: what they answered counts nowhere below. */
            erased: number;
            questions: {
                id: string;
                name: string;
                phrase: string;
                /** @enum {unknown} */
                type: "MQ" | "CQ";
                responseType: string;
                /** @description The latent that a measured question belongs to. */
                latent?: string;
                /** @description The versions with responses in the range, oldest first; they are never added up. */
                versions: {
                    version: number;
                    surveyDefinitionId: string;
                    /** @description Responses to the version that are not erased: asked and notAsked. */
                    count?: number;
                    /** @description answered and unanswered. */
                    asked?: number;
                    /** @description The rules of the version hid the question. */
                    notAsked?: number;
                    /** @description Asked and left out. */
                    unanswered?: number;
                    /** @description Of a measured question that offers it; they are among those who answered. Absent where its count is withheld. */
                    dontKnow?: number;
                    /** @description Chose an answer, or wrote something. */
                    answered?: number;
                    /** @description Of the answers that have a number as their value; null where there is none, and where several can be chosen. */
                    mean?: number | null;
                    /** @description Open questions have none. */
                    answers?: {
                        id: string;
                        text: string;
                        value: string | number | null;
                        /** @description Responses that chose it. */
                        count?: number;
                        /**
                         * @description In the place of figures that go over fewer responses than the minimum, or would give such ones away.
                         * @constant
                         */
                        withheld?: "TOO_FEW";
                    }[];
                    /**
                     * @description In the place of figures that go over fewer responses than the minimum, or would give such ones away.
                     * @constant
                     */
                    withheld?: "TOO_FEW";
                }[];
            }[];
            /** @description `completionTimeInMs` of the responses. */
            completionTimes: {
                /** @description Responses that say how long they took. */
                count?: number;
                /** @description In milliseconds, within the width of its bin. */
                median?: number | null;
                quartiles?: number[] | null;
                /** @description Four to each doubling, from the first to the last that has a response. */
                bins?: {
                    fromMs: number;
                    /** @description The first time that is no longer in it. */
                    toMs: number | null;
                    /** @description Responses that took so long. */
                    count?: number;
                    /**
                     * @description In the place of figures that go over fewer responses than the minimum, or would give such ones away.
                     * @constant
                     */
                    withheld?: "TOO_FEW";
                }[];
                /**
                 * @description In the place of figures that go over fewer responses than the minimum, or would give such ones away.
                 * @constant
                 */
                withheld?: "TOO_FEW";
            };
        };
        InvitationList: {
            /** @description In the order of the request. */
            items: {
                /** @description A UUID: the responseId of the answer, and what a revocation names. */
                invitationId: string;
                /** @description The link for this person. */
                url: string;
                /** Format: date-time */
                expires: string;
            }[];
        };
        InvitationRevocation: {
            invitationIds: string[];
        };
        InvitationRevocationResult: {
            /** @description Those that were not revoked before. */
            revoked: number;
        };
        MeasureBreakdown: {
            /**
             * Format: date
             * @description A UTC day, YYYY-MM-DD.
             */
            from: string;
            /**
             * Format: date
             * @description A UTC day, YYYY-MM-DD.
             */
            to: string;
            /** @description The number in force: figures of fewer responses are withheld. */
            minimum: number;
            /** @description Whether the figures go over the whole range. */
            complete: boolean;
            /** @description The days that the figures go over; null where there was time for none. */
            covered: {
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                from: string;
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                to: string;
            } | null;
            /** @description The position in the log at which the figures are true. */
            position: number;
            latents: {
                id: string;
                name: string;
                type: string;
            }[];
            by: string;
            /** @description Most responses first, then by value. A response that has several values is in the group of each; an erased one is in none but by weekday or version. */
            groups: {
                /** @description The id of an answer, 1 to 7 for Monday to Sunday, or what was sent, cut to 200 characters. Null for responses that have none. */
                value: string | null;
                /** @description In words. */
                label: string | null;
                /** @description The responses of the group. */
                count: number;
                /** @description The versions that they answered. */
                versions: number[];
                /** @description In the order of `latents` of the answer. */
                latents: {
                    id: string;
                    count?: number;
                    /** @description Null where count is 0. */
                    mean?: number | null;
                    /** @description The sample standard deviation; null where count is less than 2. */
                    deviation?: number | null;
                    /** @description At 95 %: its low and its high end, not rounded and not cut to the scale. */
                    interval?: number[] | null;
                    /**
                     * @description In the place of figures that go over fewer responses than the minimum, or would give such ones away.
                     * @constant
                     */
                    withheld?: "TOO_FEW";
                    /** @description False where versions with other questions, scales or weights are added up in it. */
                    comparable: boolean;
                }[];
            }[];
            /** @description All further groups as one. */
            other: {
                /** @description How many groups these are; null where there are more than 10,000 values. */
                groups: number | null;
                /** @description The responses of the group. */
                count: number;
                /** @description The versions that they answered. */
                versions: number[];
                /** @description In the order of `latents` of the answer. */
                latents: {
                    id: string;
                    count?: number;
                    /** @description Null where count is 0. */
                    mean?: number | null;
                    /** @description The sample standard deviation; null where count is less than 2. */
                    deviation?: number | null;
                    /** @description At 95 %: its low and its high end, not rounded and not cut to the scale. */
                    interval?: number[] | null;
                    /**
                     * @description In the place of figures that go over fewer responses than the minimum, or would give such ones away.
                     * @constant
                     */
                    withheld?: "TOO_FEW";
                    /** @description False where versions with other questions, scales or weights are added up in it. */
                    comparable: boolean;
                }[];
            } | null;
            /** @description Groups of fewer responses than the minimum, or that would give such ones away. */
            withheld: {
                groups: number;
                /** @description Their responses. */
                count: number;
            } | null;
        };
        MeasureChanges: {
            /** @description Whether there is more behind this page already. */
            hasMore: boolean;
            /** @description response: a response came in. external: its external parameters were added or corrected, and `item` is all of it as it is now. erased, retained: nothing but place, day and scores is left of every response from `from` to `to`. */
            items: ({
                /** @constant */
                type: "response";
                /** @description Of a response: its number in the order of arrival. Of a change: the number of the last response when it was made. */
                position: number;
                /** @description The SHA-256 of the body as it was sent, in hexadecimal digits; the same when it was erased. */
                digest: string;
                item: {
                    /** @description The responseId. */
                    id: string;
                    /** Format: date-time */
                    responseTime: string;
                    /**
                     * Format: date
                     * @description A UTC day, YYYY-MM-DD.
                     */
                    experienceDate: string;
                    modelInstanceId: string;
                    /** @description The latents of which something was answered with a value. */
                    latentScores?: {
                        id: string;
                        name: string;
                        type: string;
                        /** @description 0 to 100. */
                        score: number;
                    }[];
                    responses?: components["schemas"]["ResponseRow"][];
                    /** @description What speaks against a response that came from the page of its survey: a field was filled in that people do not see (HONEYPOT), it was sent faster than anybody answers (TOO_FAST), or the sender waited instead of doing the work that was asked for (NO_WORK). It counts like any other. */
                    quality?: {
                        suspect: ("HONEYPOT" | "TOO_FAST" | "NO_WORK")[];
                    };
                    erased?: boolean;
                };
            } | {
                /** @constant */
                type: "external";
                /** @description Of a response: its number in the order of arrival. Of a change: the number of the last response when it was made. */
                position: number;
                /** @description The number of the change, from 1 on, without a gap. */
                change: number;
                /** @description The position of the first response that it concerns. */
                from: number;
                /** @description The position of the last one. */
                to: number;
                /** Format: date-time */
                at: string;
                /** @description The SHA-256 of the body as it was sent, in hexadecimal digits; the same when it was erased. */
                digest: string;
                item: {
                    /** @description The responseId. */
                    id: string;
                    /** Format: date-time */
                    responseTime: string;
                    /**
                     * Format: date
                     * @description A UTC day, YYYY-MM-DD.
                     */
                    experienceDate: string;
                    modelInstanceId: string;
                    /** @description The latents of which something was answered with a value. */
                    latentScores?: {
                        id: string;
                        name: string;
                        type: string;
                        /** @description 0 to 100. */
                        score: number;
                    }[];
                    responses?: components["schemas"]["ResponseRow"][];
                    /** @description What speaks against a response that came from the page of its survey: a field was filled in that people do not see (HONEYPOT), it was sent faster than anybody answers (TOO_FAST), or the sender waited instead of doing the work that was asked for (NO_WORK). It counts like any other. */
                    quality?: {
                        suspect: ("HONEYPOT" | "TOO_FAST" | "NO_WORK")[];
                    };
                    erased?: boolean;
                };
            } | {
                /** @enum {unknown} */
                type: "erased" | "retained";
                /** @description Of a response: its number in the order of arrival. Of a change: the number of the last response when it was made. */
                position: number;
                /** @description The number of the change, from 1 on, without a gap. */
                change: number;
                /** @description The position of the first response that it concerns. */
                from: number;
                /** @description The position of the last one. */
                to: number;
                /** Format: date-time */
                at: string;
                /** @description The responseId, where it concerns one response. */
                id?: string;
            })[];
            /** @description The cursor behind this page, for `after`. */
            next: string;
        };
        MeasureComments: {
            from: string | null;
            to: string | null;
            /** @description The number in force for figures; it withholds no comment. */
            minimum: number;
            /** @description False where the time was over before the page was full: `next` goes on where the search ended. */
            complete: boolean;
            /** @description The days that were asked for, once everything behind the cursor was looked through; null before that, and where no days were asked for. */
            covered: {
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                from: string;
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                to: string;
            } | null;
            /** @description The position in the log when the search began. */
            position: number;
            /** @description Newest first, by the place of the response in the log. */
            items: {
                /** @description The responseId. */
                id: string;
                /** Format: date-time */
                responseTime: string;
                /** @description Of the survey that was answered. */
                version: number;
                /** @description The id of the question that it answers. */
                question: string;
                text: string;
                /** @description Where `q` stands in the text: begin and end in UTF-16 units, the end not included; the first 100 of them. Empty without `q`. */
                hits: number[][];
                /** @description The latent scores of the response. */
                scores: {
                    id: string;
                    score: number;
                }[];
            }[];
            /** @description The cursor of the next page; null when there are no more. */
            next: string | null;
        };
        MeasureData: {
            /** @description Whether respondents remain behind this page. */
            hasMore: boolean;
            items: {
                /** @description The responseId. */
                id: string;
                /** Format: date-time */
                responseTime: string;
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                experienceDate: string;
                modelInstanceId: string;
                /** @description The latents of which something was answered with a value. */
                latentScores?: {
                    id: string;
                    name: string;
                    type: string;
                    /** @description 0 to 100. */
                    score: number;
                }[];
                responses?: components["schemas"]["ResponseRow"][];
                /** @description What speaks against a response that came from the page of its survey: a field was filled in that people do not see (HONEYPOT), it was sent faster than anybody answers (TOO_FAST), or the sender waited instead of doing the work that was asked for (NO_WORK). It counts like any other. */
                quality?: {
                    suspect: ("HONEYPOT" | "TOO_FAST" | "NO_WORK")[];
                };
                erased?: boolean;
            }[];
            /** @description Respondents in the whole range. */
            total: number;
            summary: {
                latentScores?: {
                    id: string;
                    name: string;
                    type: string;
                    /** @description 0 to 100, or null where nothing was answered. */
                    score: number | null;
                    /** @description In a summary: how many respondents have a score. */
                    count?: number;
                }[];
            };
        };
        MeasureDefinition: {
            id: number;
            name: string;
            modelInstanceId: string | null;
            version: number | null;
            /** @description self and MEASURE_DATA. */
            links: {
                rel: string;
                href: string;
            }[];
            MQ: {
                latents: {
                    id: string;
                    name: string;
                    type: string;
                    questions?: components["schemas"]["Question"][];
                }[];
            };
            CQ: components["schemas"]["Question"][];
            CPP: components["schemas"]["Question"][];
            EPP: components["schemas"]["Question"][];
        };
        MeasureDrivers: {
            /**
             * Format: date
             * @description A UTC day, YYYY-MM-DD.
             */
            from: string;
            /**
             * Format: date
             * @description A UTC day, YYYY-MM-DD.
             */
            to: string;
            /** @description The number in force: figures of fewer responses are withheld. */
            minimum: number;
            /** @description Whether the figures go over the whole range. */
            complete: boolean;
            /** @description The days that the figures go over; null where there was time for none. */
            covered: {
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                from: string;
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                to: string;
            } | null;
            /** @description The position in the log at which the figures are true. */
            position: number;
            satisfaction: {
                id: string;
                name: string;
                count?: number;
                /** @description Null where count is 0. */
                mean?: number | null;
                /** @description The sample standard deviation; null where count is less than 2. */
                deviation?: number | null;
                /** @description At 95 %: its low and its high end, not rounded and not cut to the scale. */
                interval?: number[] | null;
                /**
                 * @description In the place of figures that go over fewer responses than the minimum, or would give such ones away.
                 * @constant
                 */
                withheld?: "TOO_FEW";
                /** @description The versions whose responses are added up in it. */
                versions: number[];
                /** @description False where versions with other questions, scales or weights are added up in it. */
                comparable: boolean;
            } | null;
            /** @description Every other latent; the strongest association first, whatever its direction. */
            drivers: {
                id: string;
                name: string;
                type: string;
                count?: number;
                /** @description Null where count is 0. */
                mean?: number | null;
                /** @description The sample standard deviation; null where count is less than 2. */
                deviation?: number | null;
                /** @description At 95 %: its low and its high end, not rounded and not cut to the scale. */
                interval?: number[] | null;
                /**
                 * @description In the place of figures that go over fewer responses than the minimum, or would give such ones away.
                 * @constant
                 */
                withheld?: "TOO_FEW";
                /** @description The versions whose responses are added up in it. */
                versions: number[];
                /** @description False where versions with other questions, scales or weights are added up in it. */
                comparable: boolean;
                correlation: {
                    /** @description Responses that have both scores. */
                    count?: number;
                    /** @description Pearson's coefficient with the score of satisfaction, -1 to 1; null where one of both never varies. */
                    value?: number | null;
                    /** @description At 95 %: its low and its high end, not rounded and not cut to the scale. */
                    interval?: number[] | null;
                    /**
                     * @description In the place of figures that go over fewer responses than the minimum, or would give such ones away.
                     * @constant
                     */
                    withheld?: "TOO_FEW";
                };
            }[];
            /** @constant */
            note: "Association, not cause.";
        };
        MeasureResponse: {
            /** @description The responseId. */
            id: string;
            /** Format: date-time */
            responseTime: string;
            /**
             * Format: date
             * @description A UTC day, YYYY-MM-DD.
             */
            experienceDate: string;
            modelInstanceId: string;
            /** @description The latents of which something was answered with a value. */
            latentScores?: {
                id: string;
                name: string;
                type: string;
                /** @description 0 to 100. */
                score: number;
            }[];
            responses?: components["schemas"]["ResponseRow"][];
            /** @description What speaks against a response that came from the page of its survey: a field was filled in that people do not see (HONEYPOT), it was sent faster than anybody answers (TOO_FAST), or the sender waited instead of doing the work that was asked for (NO_WORK). It counts like any other. */
            quality?: {
                suspect: ("HONEYPOT" | "TOO_FAST" | "NO_WORK")[];
            };
            /** @description Whether what was said is gone; scores of a measure stay. */
            erased: boolean;
            /** @description Its place in the log of the measure or project, as in the change feed. */
            position: number;
            /** @description The version of the survey that was answered. */
            version: number;
        };
        MeasureTrend: {
            /**
             * Format: date
             * @description A UTC day, YYYY-MM-DD.
             */
            from: string;
            /**
             * Format: date
             * @description A UTC day, YYYY-MM-DD.
             */
            to: string;
            /** @description The number in force: figures of fewer responses are withheld. */
            minimum: number;
            /** @description Whether the figures go over the whole range. */
            complete: boolean;
            /** @description The days that the figures go over; null where there was time for none. */
            covered: {
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                from: string;
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                to: string;
            } | null;
            /** @description The position in the log at which the figures are true. */
            position: number;
            unit: components["schemas"]["CalendarUnit"];
            compared?: {
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                from: string;
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                to: string;
            };
            /** @description Those of the summary of the data, in its order. */
            latents: {
                id: string;
                name: string;
                type: string;
                /** @description A unit without a value has none. The first and the last are cut to the range. Versions that must not be joined have a point each. */
                points: {
                    /**
                     * Format: date
                     * @description A UTC day, YYYY-MM-DD.
                     */
                    from: string;
                    /**
                     * Format: date
                     * @description A UTC day, YYYY-MM-DD.
                     */
                    to: string;
                    /** @description The versions whose responses are added up in it. */
                    versions: number[];
                    count?: number;
                    /** @description Null where count is 0. */
                    mean?: number | null;
                    /** @description The sample standard deviation; null where count is less than 2. */
                    deviation?: number | null;
                    /** @description At 95 %: its low and its high end, not rounded and not cut to the scale. */
                    interval?: number[] | null;
                    /**
                     * @description In the place of figures that go over fewer responses than the minimum, or would give such ones away.
                     * @constant
                     */
                    withheld?: "TOO_FEW";
                }[];
                /** @description Of the whole range; the same as in the summary of the data. */
                total: {
                    count?: number;
                    /** @description Null where count is 0. */
                    mean?: number | null;
                    /** @description The sample standard deviation; null where count is less than 2. */
                    deviation?: number | null;
                    /** @description At 95 %: its low and its high end, not rounded and not cut to the scale. */
                    interval?: number[] | null;
                    /**
                     * @description In the place of figures that go over fewer responses than the minimum, or would give such ones away.
                     * @constant
                     */
                    withheld?: "TOO_FEW";
                    /** @description The versions whose responses are added up in it. */
                    versions: number[];
                    /** @description False where versions with other questions, scales or weights are added up in it. */
                    comparable: boolean;
                };
                /** @description Of the range that is compared; null where there was no time for it. */
                compared?: {
                    count?: number;
                    /** @description Null where count is 0. */
                    mean?: number | null;
                    /** @description The sample standard deviation; null where count is less than 2. */
                    deviation?: number | null;
                    /** @description At 95 %: its low and its high end, not rounded and not cut to the scale. */
                    interval?: number[] | null;
                    /**
                     * @description In the place of figures that go over fewer responses than the minimum, or would give such ones away.
                     * @constant
                     */
                    withheld?: "TOO_FEW";
                    /** @description The versions whose responses are added up in it. */
                    versions: number[];
                    /** @description False where versions with other questions, scales or weights are added up in it. */
                    comparable: boolean;
                } | null;
                /** @description total less compared; null where one of both has fewer than two values or is withheld. */
                difference?: {
                    value: number;
                    /** @description At 95 %, Welch's. */
                    interval: number[];
                    /** @enum {unknown} */
                    change: "up" | "down" | "unclear";
                    /** @description False where versions with other questions, scales or weights are added up in it. */
                    comparable: boolean;
                } | null;
            }[];
            /** @description From these days on there are responses to a version whose figures must not be joined with those before. */
            breaks: {
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                day: string;
                version: number;
                latents: string[];
                /** @description What changed, in words. */
                reason: string;
                /** @description The same for programs, one for each of latents. */
                changes: {
                    name: string;
                    changes: {
                        /** @enum {unknown} */
                        kind: "added" | "removed" | "scale" | "weight";
                        question: string;
                        before: string | number | null;
                        now: string | number | null;
                    }[];
                    /** @description How many further changes are not listed. */
                    more: number;
                }[];
            }[];
        };
        MeasuresList: {
            /** @description Whether there is a further page. */
            hasMore: boolean;
            /** @description self, and next and prev where there are any. */
            links: {
                rel: string;
                href: string;
            }[];
            items: {
                /** @description The measurementKey. */
                id: number;
                name: string;
                active: boolean;
                /** Format: date-time */
                dateCreated: string;
                /** @enum {unknown} */
                channel: "WEB" | "MOBILE" | "STORE" | "CONTACT_CENTER";
                /** @constant */
                factType: "NON_HIERARCHY";
                /** @description Of the current version; null while there is none. */
                modelInstanceId: string | null;
                links: {
                    rel: string;
                    href: string;
                }[];
            }[];
        };
        NewInvitations: {
            /** @description One for each person. */
            invitations: {
                /** @description Custom parameters that the survey declares, by name or id. They come with the response, and nobody who has the link can read or change them. */
                parameters?: {
                    [key: string]: string;
                };
            }[];
            /** @description How long the links are good; 90 days unless given. */
            expiresInDays?: number;
        };
        PageColours: {
            accent: string;
            onAccent: string;
            background: string;
            text: string;
            muted: string;
            border: string;
            focus: string;
            fault: string;
        };
        PatchRequest: {
            schemas: string[];
            operations: {
                /** @description add, replace or remove, in any case. */
                op: string;
                /** @description An attribute, such as active or emails[type eq "work"].value. */
                path?: string;
                /** @description What to add or to set. */
                value?: unknown;
            }[];
        };
        Project: {
            id: number;
            name: string;
            description: string;
            /** Format: date-time */
            createdDateTime: string;
            /** @description Of the current version; null while there is none. */
            modelInstanceId: string | null;
            siteKey: string;
            /**
             * @description DRAFT takes test responses only; INACTIVE keeps its data and takes none.
             * @enum {unknown}
             */
            status: "DRAFT" | "ACTIVE" | "INACTIVE";
            CQ: components["schemas"]["Question"][];
        };
        ProjectBreakdown: {
            /**
             * Format: date
             * @description A UTC day, YYYY-MM-DD.
             */
            from: string;
            /**
             * Format: date
             * @description A UTC day, YYYY-MM-DD.
             */
            to: string;
            /** @description The number in force: figures of fewer responses are withheld. */
            minimum: number;
            /** @description Whether the figures go over the whole range. */
            complete: boolean;
            /** @description The days that the figures go over; null where there was time for none. */
            covered: {
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                from: string;
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                to: string;
            } | null;
            /** @description The position in the log at which the figures are true. */
            position: number;
            by: string;
            /** @description Most responses first, then by value. A response that has several values is in the group of each; an erased one is in none but by weekday or version. */
            groups: {
                /** @description The id of an answer, 1 to 7 for Monday to Sunday, or what was sent, cut to 200 characters. Null for responses that have none. */
                value: string | null;
                /** @description In words. */
                label: string | null;
                /** @description The responses of the group. */
                count: number;
                /** @description The versions that they answered. */
                versions: number[];
                rating: {
                    count?: number;
                    /** @description Null where count is 0. */
                    mean?: number | null;
                    /** @description The sample standard deviation; null where count is less than 2. */
                    deviation?: number | null;
                    /** @description At 95 %: its low and its high end, not rounded and not cut to the scale. */
                    interval?: number[] | null;
                    /**
                     * @description In the place of figures that go over fewer responses than the minimum, or would give such ones away.
                     * @constant
                     */
                    withheld?: "TOO_FEW";
                    /** @description False where versions with other questions, scales or weights are added up in it. */
                    comparable: boolean;
                };
            }[];
            /** @description All further groups as one. */
            other: {
                /** @description How many groups these are; null where there are more than 10,000 values. */
                groups: number | null;
                /** @description The responses of the group. */
                count: number;
                /** @description The versions that they answered. */
                versions: number[];
                rating: {
                    count?: number;
                    /** @description Null where count is 0. */
                    mean?: number | null;
                    /** @description The sample standard deviation; null where count is less than 2. */
                    deviation?: number | null;
                    /** @description At 95 %: its low and its high end, not rounded and not cut to the scale. */
                    interval?: number[] | null;
                    /**
                     * @description In the place of figures that go over fewer responses than the minimum, or would give such ones away.
                     * @constant
                     */
                    withheld?: "TOO_FEW";
                    /** @description False where versions with other questions, scales or weights are added up in it. */
                    comparable: boolean;
                };
            } | null;
            /** @description Groups of fewer responses than the minimum, or that would give such ones away. */
            withheld: {
                groups: number;
                /** @description Their responses. */
                count: number;
            } | null;
        };
        ProjectChanges: {
            /** @description Whether there is more behind this page already. */
            hasMore: boolean;
            /** @description response: a response came in. external: its external parameters were added or corrected, and `item` is all of it as it is now. erased, retained: nothing but place, day and scores is left of every response from `from` to `to`. */
            items: ({
                /** @constant */
                type: "response";
                /** @description Of a response: its number in the order of arrival. Of a change: the number of the last response when it was made. */
                position: number;
                /** @description The SHA-256 of the body as it was sent, in hexadecimal digits; the same when it was erased. */
                digest: string;
                item: {
                    /** @description The responseId. */
                    id: string;
                    /** Format: date-time */
                    responseTime: string;
                    /**
                     * Format: date
                     * @description A UTC day, YYYY-MM-DD.
                     */
                    experienceDate: string;
                    modelInstanceId: string;
                    url: string | null;
                    locale: string | null;
                    rating: number | null;
                    topic: string | null;
                    responses: components["schemas"]["ResponseRow"][];
                    /** @description What speaks against a response that came from the page of its survey: a field was filled in that people do not see (HONEYPOT), it was sent faster than anybody answers (TOO_FAST), or the sender waited instead of doing the work that was asked for (NO_WORK). It counts like any other. */
                    quality?: {
                        suspect: ("HONEYPOT" | "TOO_FAST" | "NO_WORK")[];
                    };
                    erased?: boolean;
                };
            } | {
                /** @constant */
                type: "external";
                /** @description Of a response: its number in the order of arrival. Of a change: the number of the last response when it was made. */
                position: number;
                /** @description The number of the change, from 1 on, without a gap. */
                change: number;
                /** @description The position of the first response that it concerns. */
                from: number;
                /** @description The position of the last one. */
                to: number;
                /** Format: date-time */
                at: string;
                /** @description The SHA-256 of the body as it was sent, in hexadecimal digits; the same when it was erased. */
                digest: string;
                item: {
                    /** @description The responseId. */
                    id: string;
                    /** Format: date-time */
                    responseTime: string;
                    /**
                     * Format: date
                     * @description A UTC day, YYYY-MM-DD.
                     */
                    experienceDate: string;
                    modelInstanceId: string;
                    url: string | null;
                    locale: string | null;
                    rating: number | null;
                    topic: string | null;
                    responses: components["schemas"]["ResponseRow"][];
                    /** @description What speaks against a response that came from the page of its survey: a field was filled in that people do not see (HONEYPOT), it was sent faster than anybody answers (TOO_FAST), or the sender waited instead of doing the work that was asked for (NO_WORK). It counts like any other. */
                    quality?: {
                        suspect: ("HONEYPOT" | "TOO_FAST" | "NO_WORK")[];
                    };
                    erased?: boolean;
                };
            } | {
                /** @enum {unknown} */
                type: "erased" | "retained";
                /** @description Of a response: its number in the order of arrival. Of a change: the number of the last response when it was made. */
                position: number;
                /** @description The number of the change, from 1 on, without a gap. */
                change: number;
                /** @description The position of the first response that it concerns. */
                from: number;
                /** @description The position of the last one. */
                to: number;
                /** Format: date-time */
                at: string;
                /** @description The responseId, where it concerns one response. */
                id?: string;
            })[];
            /** @description The cursor behind this page, for `after`. */
            next: string;
        };
        ProjectComments: {
            from: string | null;
            to: string | null;
            /** @description The number in force for figures; it withholds no comment. */
            minimum: number;
            /** @description False where the time was over before the page was full: `next` goes on where the search ended. */
            complete: boolean;
            /** @description The days that were asked for, once everything behind the cursor was looked through; null before that, and where no days were asked for. */
            covered: {
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                from: string;
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                to: string;
            } | null;
            /** @description The position in the log when the search began. */
            position: number;
            /** @description Newest first, by the place of the response in the log. */
            items: {
                /** @description The responseId. */
                id: string;
                /** Format: date-time */
                responseTime: string;
                /** @description Of the survey that was answered. */
                version: number;
                /** @description The id of the question that it answers. */
                question: string;
                text: string;
                /** @description Where `q` stands in the text: begin and end in UTF-16 units, the end not included; the first 100 of them. Empty without `q`. */
                hits: number[][];
                rating: number | null;
                topic: string | null;
            }[];
            /** @description The cursor of the next page; null when there are no more. */
            next: string | null;
        };
        ProjectData: {
            hasMore: boolean;
            items: {
                /** @description The responseId. */
                id: string;
                /** Format: date-time */
                responseTime: string;
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                experienceDate: string;
                modelInstanceId: string;
                url: string | null;
                locale: string | null;
                rating: number | null;
                topic: string | null;
                responses: components["schemas"]["ResponseRow"][];
                /** @description What speaks against a response that came from the page of its survey: a field was filled in that people do not see (HONEYPOT), it was sent faster than anybody answers (TOO_FAST), or the sender waited instead of doing the work that was asked for (NO_WORK). It counts like any other. */
                quality?: {
                    suspect: ("HONEYPOT" | "TOO_FAST" | "NO_WORK")[];
                };
                erased?: boolean;
            }[];
            /** @description Entries in the whole range. */
            total: number;
        };
        ProjectResponse: {
            /** @description The responseId. */
            id: string;
            /** Format: date-time */
            responseTime: string;
            /**
             * Format: date
             * @description A UTC day, YYYY-MM-DD.
             */
            experienceDate: string;
            modelInstanceId: string;
            url: string | null;
            locale: string | null;
            rating: number | null;
            topic: string | null;
            responses: components["schemas"]["ResponseRow"][];
            /** @description What speaks against a response that came from the page of its survey: a field was filled in that people do not see (HONEYPOT), it was sent faster than anybody answers (TOO_FAST), or the sender waited instead of doing the work that was asked for (NO_WORK). It counts like any other. */
            quality?: {
                suspect: ("HONEYPOT" | "TOO_FAST" | "NO_WORK")[];
            };
            /** @description Whether what was said is gone; scores of a measure stay. */
            erased: boolean;
            /** @description Its place in the log of the measure or project, as in the change feed. */
            position: number;
            /** @description The version of the survey that was answered. */
            version: number;
        };
        ProjectTopics: {
            /**
             * Format: date
             * @description A UTC day, YYYY-MM-DD.
             */
            from: string;
            /**
             * Format: date
             * @description A UTC day, YYYY-MM-DD.
             */
            to: string;
            /** @description The number in force: figures of fewer responses are withheld. */
            minimum: number;
            /** @description Whether the figures go over the whole range. */
            complete: boolean;
            /** @description The days that the figures go over; null where there was time for none. */
            covered: {
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                from: string;
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                to: string;
            } | null;
            /** @description The position in the log at which the figures are true. */
            position: number;
            compared?: {
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                from: string;
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                to: string;
            };
            /** @description Entries that are not erased. */
            count: number;
            /** @description Those of them that name a topic. */
            withTopic: number;
            /** @description Named most often first. Topics that are offered and that nobody named are there too. */
            topics: {
                question: string;
                /** @description Of the answer; null where people write the topic themselves. */
                id: string | null;
                text: string;
                /** @description Those that name it; the figures are those of their ratings. */
                entries: number;
                /** @description Of all entries that name a topic. */
                share: number | null;
                count?: number;
                /** @description Null where count is 0. */
                mean?: number | null;
                /** @description The sample standard deviation; null where count is less than 2. */
                deviation?: number | null;
                /** @description At 95 %: its low and its high end, not rounded and not cut to the scale. */
                interval?: number[] | null;
                /**
                 * @description In the place of figures that go over fewer responses than the minimum, or would give such ones away.
                 * @constant
                 */
                withheld?: "TOO_FEW";
                /** @description False where versions with another rating are added up in it. */
                comparable: boolean;
                compared?: {
                    /** @description Those that name it; the figures are those of their ratings. */
                    entries?: number;
                    /** @description Of all entries that name a topic. */
                    share?: number | null;
                    count?: number;
                    /** @description Null where count is 0. */
                    mean?: number | null;
                    /** @description The sample standard deviation; null where count is less than 2. */
                    deviation?: number | null;
                    /** @description At 95 %: its low and its high end, not rounded and not cut to the scale. */
                    interval?: number[] | null;
                    /**
                     * @description In the place of figures that go over fewer responses than the minimum, or would give such ones away.
                     * @constant
                     */
                    withheld?: "TOO_FEW";
                } | null;
                change?: {
                    /** @description Of the share. */
                    share: components["schemas"]["InsightDifference"] | null;
                    /** @description Of the mean rating. */
                    rating: components["schemas"]["InsightDifference"] | null;
                } | null;
            }[];
            /** @description Where people write topics themselves: those beyond the 200 that were named most often. */
            other: {
                /** @description Null where it is not known. */
                topics: number | null;
                /** @description Their entries. */
                count: number;
            } | null;
            withheld: {
                topics: number;
                /** @description Their entries. */
                count: number;
            } | null;
            /** @description The lowest mean first. An address is told without what stands behind ? or #. */
            pages?: {
                url: string;
                count?: number;
                /** @description Null where count is 0. */
                mean?: number | null;
                /** @description The sample standard deviation; null where count is less than 2. */
                deviation?: number | null;
                /** @description At 95 %: its low and its high end, not rounded and not cut to the scale. */
                interval?: number[] | null;
                /**
                 * @description In the place of figures that go over fewer responses than the minimum, or would give such ones away.
                 * @constant
                 */
                withheld?: "TOO_FEW";
                comparable: boolean;
            }[];
            pagesComplete?: boolean;
            /** @description The days that the figures go over; null where there was time for none. */
            pagesCovered?: {
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                from: string;
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                to: string;
            } | null;
        };
        ProjectTrend: {
            /**
             * Format: date
             * @description A UTC day, YYYY-MM-DD.
             */
            from: string;
            /**
             * Format: date
             * @description A UTC day, YYYY-MM-DD.
             */
            to: string;
            /** @description The number in force: figures of fewer responses are withheld. */
            minimum: number;
            /** @description Whether the figures go over the whole range. */
            complete: boolean;
            /** @description The days that the figures go over; null where there was time for none. */
            covered: {
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                from: string;
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                to: string;
            } | null;
            /** @description The position in the log at which the figures are true. */
            position: number;
            unit: components["schemas"]["CalendarUnit"];
            compared?: {
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                from: string;
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                to: string;
            };
            rating: {
                /** @description A unit without a value has none. The first and the last are cut to the range. Versions that must not be joined have a point each. */
                points: {
                    /**
                     * Format: date
                     * @description A UTC day, YYYY-MM-DD.
                     */
                    from: string;
                    /**
                     * Format: date
                     * @description A UTC day, YYYY-MM-DD.
                     */
                    to: string;
                    /** @description The versions whose responses are added up in it. */
                    versions: number[];
                    count?: number;
                    /** @description Null where count is 0. */
                    mean?: number | null;
                    /** @description The sample standard deviation; null where count is less than 2. */
                    deviation?: number | null;
                    /** @description At 95 %: its low and its high end, not rounded and not cut to the scale. */
                    interval?: number[] | null;
                    /**
                     * @description In the place of figures that go over fewer responses than the minimum, or would give such ones away.
                     * @constant
                     */
                    withheld?: "TOO_FEW";
                }[];
                /** @description Of the whole range; the same as in the summary of the data. */
                total: {
                    count?: number;
                    /** @description Null where count is 0. */
                    mean?: number | null;
                    /** @description The sample standard deviation; null where count is less than 2. */
                    deviation?: number | null;
                    /** @description At 95 %: its low and its high end, not rounded and not cut to the scale. */
                    interval?: number[] | null;
                    /**
                     * @description In the place of figures that go over fewer responses than the minimum, or would give such ones away.
                     * @constant
                     */
                    withheld?: "TOO_FEW";
                    /** @description The versions whose responses are added up in it. */
                    versions: number[];
                    /** @description False where versions with other questions, scales or weights are added up in it. */
                    comparable: boolean;
                };
                /** @description Of the range that is compared; null where there was no time for it. */
                compared?: {
                    count?: number;
                    /** @description Null where count is 0. */
                    mean?: number | null;
                    /** @description The sample standard deviation; null where count is less than 2. */
                    deviation?: number | null;
                    /** @description At 95 %: its low and its high end, not rounded and not cut to the scale. */
                    interval?: number[] | null;
                    /**
                     * @description In the place of figures that go over fewer responses than the minimum, or would give such ones away.
                     * @constant
                     */
                    withheld?: "TOO_FEW";
                    /** @description The versions whose responses are added up in it. */
                    versions: number[];
                    /** @description False where versions with other questions, scales or weights are added up in it. */
                    comparable: boolean;
                } | null;
                /** @description total less compared; null where one of both has fewer than two values or is withheld. */
                difference?: {
                    value: number;
                    /** @description At 95 %, Welch's. */
                    interval: number[];
                    /** @enum {unknown} */
                    change: "up" | "down" | "unclear";
                    /** @description False where versions with other questions, scales or weights are added up in it. */
                    comparable: boolean;
                } | null;
            };
            /** @description From these days on there are responses to a version whose figures must not be joined with those before. */
            breaks: {
                /**
                 * Format: date
                 * @description A UTC day, YYYY-MM-DD.
                 */
                day: string;
                version: number;
                latents: string[];
                /** @description What changed, in words. */
                reason: string;
                /** @description The same for programs, one for each of latents. */
                changes: {
                    name: string;
                    changes: {
                        /** @enum {unknown} */
                        kind: "added" | "removed" | "scale" | "weight";
                        question: string;
                        before: string | number | null;
                        now: string | number | null;
                    }[];
                    /** @description How many further changes are not listed. */
                    more: number;
                }[];
            }[];
        };
        PublicQuestion: {
            id: string;
            /** @enum {unknown} */
            type: "RADIO" | "SELECT" | "CHECKBOX" | "STAR_RATING" | "NPS" | "TEXT" | "TEXT_AREA" | "MEASURED_QUESTION";
            /** @description What is asked. */
            phrase: string;
            help?: string;
            /** @description Whether it needs an answer whenever it is asked. */
            required: boolean;
            scale?: {
                min: number;
                max: number;
                labels?: {
                    min: string;
                    max: string;
                };
            };
            /** @description An answer beside the numbers of the scale. */
            dontKnow?: {
                id: string;
                text?: string;
            };
            answers?: {
                /** @description Sent as the answer. */
                id: string;
                text: string;
                value: number | string | null;
            }[];
            /** @description Of a text, in characters. */
            maxLength?: number;
            /** @description It is asked when one of them holds, of a question that is asked itself. */
            rules?: {
                question: string;
                /** @enum {unknown} */
                operator: "equals" | "lt" | "gt" | "contains";
                answer: string | number;
            }[];
        };
        PublicSurveyDefinition: {
            surveyDefinitionId: string;
            version: number;
            /** @description Whether it takes responses now. */
            isOpen: boolean;
            /** @enum {unknown} */
            language: "en" | "de" | "fr" | "es" | "it" | "nl" | "pt" | "pl" | "sv" | "ja" | "zh" | "ar";
            /** @enum {unknown} */
            direction: "ltr" | "rtl";
            /** @description Its own language first. */
            languages: ("en" | "de" | "fr" | "es" | "it" | "nl" | "pt" | "pl" | "sv" | "ja" | "zh" | "ar")[];
            title: string;
            intro?: string;
            thanks?: {
                text?: string;
                url?: string;
            };
            /** @description The address of the privacy notice. */
            privacy?: string;
            /** @description Steps of the page, by the ids of questions. Every question stands in one. */
            sections: {
                title?: string;
                questions: string[];
            }[];
            questions: components["schemas"]["PublicQuestion"][];
            theme: {
                light: components["schemas"]["PageColours"];
                dark: components["schemas"]["PageColours"];
            };
        };
        PullCost: {
            /**
             * Format: date
             * @description A UTC day, YYYY-MM-DD.
             */
            from: string;
            /**
             * Format: date
             * @description A UTC day, YYYY-MM-DD.
             */
            to: string;
            /** @description Responses of the range, erased ones included; counted. */
            rows: number;
            /** @description Pages of data that have rows, of the size that was asked for. */
            pages: number;
            /** @description One for each page, and one where there is none. */
            requests: number;
            bytes: {
                /** @description Bodies of all pages together. */
                estimate: number;
                /** @constant */
                of: "uncompressed JSON";
                /** @description So many rows were read for it, 128 at most, spread evenly over the range. Where these are all rows, the bytes are exact. */
                sampled: number;
            };
        };
        Question: {
            id: string;
            name: string;
            phrase: string;
            /** @enum {unknown} */
            type: "MQ" | "CQ" | "CPP" | "EPP";
            label: string;
            responseType: string;
            required: boolean;
            scale?: {
                min: number;
                max: number;
            };
            weight?: number;
            maxLength?: number;
            valueType?: string;
            /** @description On the question whose answer is the topic of an entry. */
            topic?: boolean;
            answers?: {
                id: string;
                text: string;
                label: string;
                value: string | number | null;
            }[];
            /** @description Any of them shows the question; without rules it always shows. */
            rules?: {
                question: string;
                operator: string;
                answer: string | number | null;
            }[];
        };
        ResourceType: {
            schemas: string[];
            id: string;
            name: string;
            description: string;
            endpoint: string;
            /** @description The URN of its schema. */
            schema: string;
            schemaExtensions: string[];
            /** @description What the document is and where it is. */
            meta: {
                resourceType: string;
                location: string;
            };
        };
        ResourceTypeList: {
            schemas: string[];
            /** @description All that match; more than are in this page, perhaps. */
            totalResults: number;
            /** @description The place of the first of this page, from 1. */
            startIndex: number;
            /** @description How many are in this page. */
            itemsPerPage: number;
            resources: components["schemas"]["ResourceType"][];
            id: string;
            name: string;
            description: string;
            endpoint: string;
            /** @description The URN of its schema. */
            schema: string;
            schemaExtensions: string[];
            /** @description What the document is and where it is. */
            meta: {
                resourceType: string;
                location: string;
            };
        };
        ResponseRow: {
            id: string;
            name: string;
            phrase: string;
            /** @enum {unknown} */
            type: "MQ" | "CQ" | "CPP" | "EPP";
            label: string;
            responseType: string;
            answers: string[];
        };
        Schema: {
            schemas: string[];
            /** @description The URN of the schema. */
            id: string;
            name: string;
            description: string;
            attributes: components["schemas"]["Attribute"][];
            /** @description What the document is and where it is. */
            meta: {
                resourceType: string;
                location: string;
            };
        };
        SchemaList: {
            schemas: string[];
            /** @description All that match; more than are in this page, perhaps. */
            totalResults: number;
            /** @description The place of the first of this page, from 1. */
            startIndex: number;
            /** @description How many are in this page. */
            itemsPerPage: number;
            resources: components["schemas"]["Schema"][];
        };
        ScimGroup: {
            /** @description The schemas whose attributes the resource has. */
            schemas: string[];
            /** @description The identifier that the service gave to the group. */
            id: string;
            /** @description The identifier that the caller gave to the group. */
            externalId?: string;
            /** @description The name of the group; unique in the account without regard to case. */
            displayName?: string;
            /** @description The users and groups that belong to the group. */
            members?: {
                /** @description The identifier of the member. */
                value?: string;
                /** @description The address of the member. */
                $ref?: string;
                /** @description The name of the member, as it is shown to people. */
                display?: string;
                /** @description Whether the member is a user or a group. */
                type?: string;
            }[];
            /** @description What the service notes about the record. */
            meta?: {
                /** @description The kind of the resource. */
                resourceType?: string;
                /**
                 * Format: date-time
                 * @description When the group was created.
                 */
                created?: string;
                /**
                 * Format: date-time
                 * @description When the group or its membership was last changed.
                 */
                lastModified?: string;
                /** @description The version of the record, as an entity tag. */
                version?: string;
                /** @description The address of the record. */
                location?: string;
            };
        };
        ScimGroupDraft: {
            /** @description The schemas whose attributes the resource has. */
            schemas: string[];
            /** @description The identifier that the service gave to the group. */
            id?: string;
            /** @description The identifier that the caller gave to the group. */
            externalId?: string;
            /** @description The name of the group; unique in the account without regard to case. */
            displayName: string;
            /** @description The users and groups that belong to the group. */
            members?: {
                /** @description The identifier of the member. */
                value: string;
                /** @description The address of the member. */
                $ref?: string;
                /** @description The name of the member, as it is shown to people. */
                display?: string;
                /** @description Whether the member is a user or a group. */
                type?: string;
            }[];
            /** @description What the service notes about the record. */
            meta?: {
                /** @description The kind of the resource. */
                resourceType?: string;
                /**
                 * Format: date-time
                 * @description When the group was created.
                 */
                created?: string;
                /**
                 * Format: date-time
                 * @description When the group or its membership was last changed.
                 */
                lastModified?: string;
                /** @description The version of the record, as an entity tag. */
                version?: string;
                /** @description The address of the record. */
                location?: string;
            };
        };
        ScimGroupList: {
            schemas: string[];
            /** @description All that match; more than are in this page, perhaps. */
            totalResults: number;
            /** @description The place of the first of this page, from 1. */
            startIndex: number;
            /** @description How many are in this page. */
            itemsPerPage: number;
            Resources: components["schemas"]["ScimGroup"][];
        };
        ScimPatchRequest: {
            schemas: string[];
            Operations: {
                /** @description add, replace or remove, in any case. */
                op: string;
                /** @description An attribute, such as active or emails[type eq "work"].value. */
                path?: string;
                /** @description What to add or to set. */
                value?: unknown;
            }[];
        };
        ScimResourceList: {
            schemas: string[];
            /** @description All that match; more than are in this page, perhaps. */
            totalResults: number;
            /** @description The place of the first of this page, from 1. */
            startIndex: number;
            /** @description How many are in this page. */
            itemsPerPage: number;
            Resources: (components["schemas"]["ScimUser"] | components["schemas"]["ScimGroup"])[];
        };
        ScimResourceType: {
            schemas: string[];
            id: string;
            name: string;
            description: string;
            endpoint: string;
            /** @description The URN of its schema. */
            schema: string;
            schemaExtensions: {
                schema: string;
                required: boolean;
            }[];
            /** @description What the document is and where it is. */
            meta: {
                resourceType: string;
                location: string;
            };
        };
        ScimResourceTypeList: {
            schemas: string[];
            /** @description All that match; more than are in this page, perhaps. */
            totalResults: number;
            /** @description The place of the first of this page, from 1. */
            startIndex: number;
            /** @description How many are in this page. */
            itemsPerPage: number;
            Resources: components["schemas"]["ScimResourceType"][];
        };
        ScimSchemaList: {
            schemas: string[];
            /** @description All that match; more than are in this page, perhaps. */
            totalResults: number;
            /** @description The place of the first of this page, from 1. */
            startIndex: number;
            /** @description How many are in this page. */
            itemsPerPage: number;
            Resources: components["schemas"]["Schema"][];
        };
        ScimUser: {
            /** @description The schemas whose attributes the resource has. */
            schemas: string[];
            /** @description The identifier that the service gave to the user. */
            id: string;
            /** @description The identifier that the caller gave to the user. */
            externalId?: string;
            /** @description The name that identifies the user; unique in the account without regard to case. */
            userName?: string;
            /** @description The parts of the user's name. */
            name?: {
                /** @description The whole name, ready to be shown. */
                formatted?: string;
                /** @description The family name, in most Western languages the last name. */
                familyName?: string;
                /** @description The given name, in most Western languages the first name. */
                givenName?: string;
                /** @description The middle names. */
                middleName?: string;
                /** @description What stands before the name, such as a title. */
                honorificPrefix?: string;
                /** @description What stands after the name. */
                honorificSuffix?: string;
            };
            /** @description The name to show for the user. */
            displayName?: string;
            /** @description What the user is called among people who know them. */
            nickName?: string;
            /** @description The address of a page about the user. */
            profileUrl?: string;
            /** @description The user's title at work. */
            title?: string;
            /** @description How the user relates to the organisation. */
            userType?: string;
            /** @description The languages the user reads, as in Accept-Language. */
            preferredLanguage?: string;
            /** @description The locale for dates, numbers and currency. */
            locale?: string;
            /** @description The time zone, by its name in the IANA database. */
            timezone?: string;
            /** @description True: active. False: suspended, which is how a user is de-provisioned. */
            active?: boolean;
            /** @description E-mail addresses. */
            emails?: {
                /** @description The e-mail address. */
                value?: string;
                /** @description The value as it should be shown to people. */
                display?: string;
                /** @description What the value is used for. */
                type?: string;
                /** @description Whether this value is the preferred one; at most one is. */
                primary?: boolean;
            }[];
            /** @description Telephone numbers. */
            phoneNumbers?: {
                /** @description The telephone number. */
                value?: string;
                /** @description The value as it should be shown to people. */
                display?: string;
                /** @description What the value is used for. */
                type?: string;
                /** @description Whether this value is the preferred one; at most one is. */
                primary?: boolean;
            }[];
            /** @description Addresses for instant messages. */
            ims?: {
                /** @description The address. */
                value?: string;
                /** @description The value as it should be shown to people. */
                display?: string;
                /** @description What the value is used for. */
                type?: string;
                /** @description Whether this value is the preferred one; at most one is. */
                primary?: boolean;
            }[];
            /** @description Addresses of pictures of the user. */
            photos?: {
                /** @description The address of the picture. */
                value?: string;
                /** @description The value as it should be shown to people. */
                display?: string;
                /** @description What the value is used for. */
                type?: string;
                /** @description Whether this value is the preferred one; at most one is. */
                primary?: boolean;
            }[];
            /** @description Postal addresses. */
            addresses?: {
                /** @description The whole address, ready to be shown. */
                formatted?: string;
                /** @description Street, house number and what belongs to them. */
                streetAddress?: string;
                /** @description The city or locality. */
                locality?: string;
                /** @description The state or region. */
                region?: string;
                /** @description The postal code. */
                postalCode?: string;
                /** @description The country, as a two-letter code of ISO 3166-1. */
                country?: string;
                /** @description What the value is used for. */
                type?: string;
                /** @description Whether this value is the preferred one; at most one is. */
                primary?: boolean;
            }[];
            /** @description The groups the user belongs to; changed through the groups. */
            groups?: {
                /** @description The identifier of the group. */
                value?: string;
                /** @description The address of the group. */
                $ref?: string;
                /** @description The name of the group. */
                display?: string;
                /** @description Whether the user is a member itself or through another group. */
                type?: string;
            }[];
            /** @description What the user is entitled to. */
            entitlements?: {
                /** @description The entitlement. */
                value?: string;
                /** @description The value as it should be shown to people. */
                display?: string;
                /** @description What the value is used for. */
                type?: string;
                /** @description Whether this value is the preferred one; at most one is. */
                primary?: boolean;
            }[];
            /** @description The roles the user has. */
            roles?: {
                /** @description The role. */
                value?: string;
                /** @description The value as it should be shown to people. */
                display?: string;
                /** @description What the value is used for. */
                type?: string;
                /** @description Whether this value is the preferred one; at most one is. */
                primary?: boolean;
            }[];
            /** @description Certificates issued to the user. */
            x509Certificates?: {
                /** @description The certificate, DER in Base64. */
                value?: string;
                /** @description The value as it should be shown to people. */
                display?: string;
                /** @description What the value is used for. */
                type?: string;
                /** @description Whether this value is the preferred one; at most one is. */
                primary?: boolean;
            }[];
            /** @description What an enterprise notes about its people. */
            "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"?: {
                /** @description The number or code that the organisation gave to the user. */
                employeeNumber?: string;
                /** @description The cost centre. */
                costCenter?: string;
                /** @description The organisation. */
                organization?: string;
                /** @description The division. */
                division?: string;
                /** @description The department. */
                department?: string;
                /** @description The user's manager. */
                manager?: {
                    /** @description The identifier of the manager. */
                    value?: string;
                    /** @description The address of the manager. */
                    $ref?: string;
                    /** @description The manager's display name. */
                    displayName?: string;
                };
            };
            /** @description What this service notes about a user. */
            "urn:ietf:params:scim:schemas:extension:service:1.0:User"?: {
                /** @description The customer that the user belongs to; the account where it is not sent. */
                clientId?: number;
                /** @description The internal identifier of what authenticates the user. */
                authenticationProvider?: string;
            };
            /** @description What the service notes about the record. */
            meta?: {
                /** @description The kind of the resource. */
                resourceType?: string;
                /**
                 * Format: date-time
                 * @description When the user was created.
                 */
                created?: string;
                /**
                 * Format: date-time
                 * @description When the user was last changed.
                 */
                lastModified?: string;
                /** @description The version of the record, as an entity tag. */
                version?: string;
                /** @description The address of the record. */
                location?: string;
            };
        };
        ScimUserDraft: {
            /** @description The schemas whose attributes the resource has. */
            schemas: string[];
            /** @description The identifier that the service gave to the user. */
            id?: string;
            /** @description The identifier that the caller gave to the user. */
            externalId?: string;
            /** @description The name that identifies the user; unique in the account without regard to case. */
            userName: string;
            /** @description The parts of the user's name. */
            name?: {
                /** @description The whole name, ready to be shown. */
                formatted?: string;
                /** @description The family name, in most Western languages the last name. */
                familyName?: string;
                /** @description The given name, in most Western languages the first name. */
                givenName?: string;
                /** @description The middle names. */
                middleName?: string;
                /** @description What stands before the name, such as a title. */
                honorificPrefix?: string;
                /** @description What stands after the name. */
                honorificSuffix?: string;
            };
            /** @description The name to show for the user. */
            displayName?: string;
            /** @description What the user is called among people who know them. */
            nickName?: string;
            /** @description The address of a page about the user. */
            profileUrl?: string;
            /** @description The user's title at work. */
            title?: string;
            /** @description How the user relates to the organisation. */
            userType?: string;
            /** @description The languages the user reads, as in Accept-Language. */
            preferredLanguage?: string;
            /** @description The locale for dates, numbers and currency. */
            locale?: string;
            /** @description The time zone, by its name in the IANA database. */
            timezone?: string;
            /** @description True: active. False: suspended, which is how a user is de-provisioned. */
            active?: boolean;
            /** @description Accepted and discarded: users choose a password in the console, or sign in through their provider. */
            password?: string;
            /** @description E-mail addresses. */
            emails?: {
                /** @description The e-mail address. */
                value?: string;
                /** @description The value as it should be shown to people. */
                display?: string;
                /** @description What the value is used for. */
                type?: string;
                /** @description Whether this value is the preferred one; at most one is. */
                primary?: boolean;
            }[];
            /** @description Telephone numbers. */
            phoneNumbers?: {
                /** @description The telephone number. */
                value?: string;
                /** @description The value as it should be shown to people. */
                display?: string;
                /** @description What the value is used for. */
                type?: string;
                /** @description Whether this value is the preferred one; at most one is. */
                primary?: boolean;
            }[];
            /** @description Addresses for instant messages. */
            ims?: {
                /** @description The address. */
                value?: string;
                /** @description The value as it should be shown to people. */
                display?: string;
                /** @description What the value is used for. */
                type?: string;
                /** @description Whether this value is the preferred one; at most one is. */
                primary?: boolean;
            }[];
            /** @description Addresses of pictures of the user. */
            photos?: {
                /** @description The address of the picture. */
                value?: string;
                /** @description The value as it should be shown to people. */
                display?: string;
                /** @description What the value is used for. */
                type?: string;
                /** @description Whether this value is the preferred one; at most one is. */
                primary?: boolean;
            }[];
            /** @description Postal addresses. */
            addresses?: {
                /** @description The whole address, ready to be shown. */
                formatted?: string;
                /** @description Street, house number and what belongs to them. */
                streetAddress?: string;
                /** @description The city or locality. */
                locality?: string;
                /** @description The state or region. */
                region?: string;
                /** @description The postal code. */
                postalCode?: string;
                /** @description The country, as a two-letter code of ISO 3166-1. */
                country?: string;
                /** @description What the value is used for. */
                type?: string;
                /** @description Whether this value is the preferred one; at most one is. */
                primary?: boolean;
            }[];
            /** @description The groups the user belongs to; changed through the groups. */
            groups?: {
                /** @description The identifier of the group. */
                value?: string;
                /** @description The address of the group. */
                $ref?: string;
                /** @description The name of the group. */
                display?: string;
                /** @description Whether the user is a member itself or through another group. */
                type?: string;
            }[];
            /** @description What the user is entitled to. */
            entitlements?: {
                /** @description The entitlement. */
                value?: string;
                /** @description The value as it should be shown to people. */
                display?: string;
                /** @description What the value is used for. */
                type?: string;
                /** @description Whether this value is the preferred one; at most one is. */
                primary?: boolean;
            }[];
            /** @description The roles the user has. */
            roles?: {
                /** @description The role. */
                value?: string;
                /** @description The value as it should be shown to people. */
                display?: string;
                /** @description What the value is used for. */
                type?: string;
                /** @description Whether this value is the preferred one; at most one is. */
                primary?: boolean;
            }[];
            /** @description Certificates issued to the user. */
            x509Certificates?: {
                /** @description The certificate, DER in Base64. */
                value?: string;
                /** @description The value as it should be shown to people. */
                display?: string;
                /** @description What the value is used for. */
                type?: string;
                /** @description Whether this value is the preferred one; at most one is. */
                primary?: boolean;
            }[];
            /** @description What an enterprise notes about its people. */
            "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"?: {
                /** @description The number or code that the organisation gave to the user. */
                employeeNumber?: string;
                /** @description The cost centre. */
                costCenter?: string;
                /** @description The organisation. */
                organization?: string;
                /** @description The division. */
                division?: string;
                /** @description The department. */
                department?: string;
                /** @description The user's manager. */
                manager?: {
                    /** @description The identifier of the manager. */
                    value?: string;
                    /** @description The address of the manager. */
                    $ref?: string;
                    /** @description The manager's display name. */
                    displayName?: string;
                };
            };
            /** @description What this service notes about a user. */
            "urn:ietf:params:scim:schemas:extension:service:1.0:User"?: {
                /** @description The customer that the user belongs to; the account where it is not sent. */
                clientId?: number;
                /** @description The internal identifier of what authenticates the user. */
                authenticationProvider?: string;
            };
            /** @description What the service notes about the record. */
            meta?: {
                /** @description The kind of the resource. */
                resourceType?: string;
                /**
                 * Format: date-time
                 * @description When the user was created.
                 */
                created?: string;
                /**
                 * Format: date-time
                 * @description When the user was last changed.
                 */
                lastModified?: string;
                /** @description The version of the record, as an entity tag. */
                version?: string;
                /** @description The address of the record. */
                location?: string;
            };
        };
        ScimUserList: {
            schemas: string[];
            /** @description All that match; more than are in this page, perhaps. */
            totalResults: number;
            /** @description The place of the first of this page, from 1. */
            startIndex: number;
            /** @description How many are in this page. */
            itemsPerPage: number;
            Resources: components["schemas"]["ScimUser"][];
        };
        ScoreTrace: {
            /** @description The responseId. */
            id: string;
            /** @description Its place in the log of the measure or project, as in the change feed. */
            position: number;
            /** @description The version of the survey that was answered. */
            version: number;
            /** @description Whether what was said is gone; scores of a measure stay. */
            erased: boolean;
            latents: {
                id: string;
                name: string;
                type: string;
                /** @description 0 to 100, as data shows it; null where nothing of it counted. */
                score: number | null;
                questions: {
                    id: string;
                    name: string;
                    phrase: string;
                    /**
                     * @description Whether the answer counted, and why not.
                     * @enum {unknown}
                     */
                    state: "counted" | "dontKnow" | "unanswered" | "erased";
                    /** @description As data shows it. */
                    answer: string | null;
                    value: number | null;
                    /** @description (value - min) / (max - min) * 100 of the scale of the question. */
                    normalised: number | null;
                    weight: number;
                    /** @description Its weight over all weights that counted. */
                    share: number | null;
                    /** @description share * normalised, but for the last digits: added up in any order, as doubles, contributions are the score to the last bit. The largest of them has what rounding left. */
                    contribution: number | null;
                }[];
            }[];
            /** @description The custom questions, in the order of the version. */
            questions: {
                id: string;
                name: string;
                phrase: string;
                responseType: string;
                /** @enum {unknown} */
                state: "answered" | "unanswered" | "notAsked" | "erased";
                /** @description Of a question that is not always asked: one rule that holds is enough. */
                rules?: {
                    question: string;
                    operator: string;
                    answer: string | number;
                    holds: boolean;
                    /** @description What the answers say of this rule, in a sentence. */
                    words: string;
                }[];
            }[];
        };
        ServiceProviderConfig: {
            schemas: string[];
            documentationUri: string;
            patch: {
                supported: boolean;
            };
            changePassword: {
                supported: boolean;
            };
            bulk: {
                supported: boolean;
                maxOperations: number;
                /** @description In bytes. */
                maxPayloadSize: number;
            };
            filter: {
                supported: boolean;
                maxResults: number;
            };
            sort: {
                supported: boolean;
            };
            etag: {
                supported: boolean;
            };
            authenticationSchemes: {
                type: string;
                name: string;
                description: string;
                specUri: string;
                documentationUri: string;
                primary: boolean;
            }[];
            /** @description What the document is and where it is. */
            meta: {
                resourceType: string;
                location: string;
            };
        };
        SubAttribute: {
            name: string;
            /** @description string, boolean, integer, dateTime, reference, complex or binary. */
            type: string;
            multiValued: boolean;
            description: string;
            required: boolean;
            caseExact?: boolean;
            /** @description readOnly, readWrite, immutable or writeOnly. */
            mutability: string;
            /** @description always, never, default or request. */
            returned: string;
            /** @description none or server. */
            uniqueness: string;
            canonicalValues?: string[];
            referenceTypes?: string[];
        };
        SurveyResponse: {
            /** @description The survey definition that the response answers. */
            surveyDefinitionId: string;
            /** @description Unique in the account; made by the service when left out. Send one to make retries safe. */
            responseId?: string;
            /**
             * Format: int64
             * @description How long it took, in milliseconds. Kept as it was sent; one below 0 or of more than 15 digits is no time, and is left out of the figures of time.
             */
            completionTimeInMs?: number;
            locale?: string;
            pageVisits?: string;
            referrer?: string;
            referrerUrl?: string;
            url?: string;
            /**
             * Format: date-time
             * @description ISO 8601; now when left out.
             */
            submissionTimestamp?: string;
            deviceDetails?: {
                brandName?: string;
                browser?: string;
                browserName?: string;
                browserVendor?: string;
                browserVersion?: string;
                deviceName?: string;
                deviceType?: string;
                deviceVersion?: string;
                isDualOrientation?: boolean;
                isTablet?: boolean;
                os?: string;
                osName?: string;
                osVersion?: string;
                pointingMethod?: string;
                resolution?: string;
                /** Format: int64 */
                resolutionHeight?: number;
                /** Format: int64 */
                resolutionWidth?: number;
                screen?: string;
                /** Format: int64 */
                screenHeight?: number;
                /** Format: int64 */
                screenWidth?: number;
                wurflId?: string;
            };
            integrations?: {
                googleAnalyticsId?: string;
            };
            /** @description The answers: from the id of a question to a list of texts. A question with choices takes the ids of answers (several only where it is answered by check boxes), a scale takes a number written as a text, an open question takes the text itself. */
            responses?: {
                [key: string]: string[];
            };
            /** @description Custom passed parameters: what the page knows about the visit, by name. A name that the survey does not declare is kept all the same; one that is sent in several of the three groups is one parameter with all of its values. */
            cpps?: {
                /** @description Parameters that have several texts as their value. */
                properties?: {
                    [key: string]: string[];
                };
                /** @description Parameters that are numbers, such as the value of a cart. */
                metrics?: {
                    [key: string]: number;
                };
                /** @description Parameters that are one text, such as the segment of a customer. */
                data?: {
                    [key: string]: string;
                };
            };
            /** @description Judged in full, answered with the would-be scores, and not kept. */
            isTest?: boolean;
        };
        SurveyToken: {
            token: string;
            /** Format: date-time */
            expires: string;
        };
        TokenResponse: {
            /** @description Goes into the header Authorization: Bearer of every further call. */
            access_token: string;
            /** @constant */
            token_type: "Bearer";
            /** @description Seconds left: a text in answer to the query call, a number in answer to the form call. */
            expires_in: string | number;
            /** @description The scope that was asked for. */
            scope: string;
        };
        User: {
            /** @description The schemas whose attributes the resource has. */
            schemas: string[];
            /** @description The identifier that the service gave to the user. */
            id: number;
            /** @description The identifier that the caller gave to the user. */
            externalId?: string;
            /** @description The name that identifies the user; unique in the account without regard to case. */
            userName: string;
            /** @description The parts of the user's name. */
            name?: {
                /** @description The family name, in most Western languages the last name. */
                familyName?: string;
                /** @description The given name, in most Western languages the first name. */
                givenName?: string;
            };
            /** @description True: active. False: suspended, which is how a user is de-provisioned. */
            active?: boolean;
            /** @description E-mail addresses. */
            emails?: {
                /** @description The e-mail address. */
                value?: string;
                /** @description What the value is used for. */
                type?: string;
                /** @description Whether this value is the preferred one; at most one is. */
                primary?: boolean;
            }[];
            /** @description Telephone numbers. */
            phoneNumbers?: {
                /** @description The telephone number. */
                value?: string;
                /** @description What the value is used for. */
                type?: string;
            }[];
            /** @description What this service notes about a user. */
            "urn:ietf:params:scim:schemas:extension:service:1.0:User"?: {
                /** @description The customer that the user belongs to; the account where it is not sent. */
                clientId?: number;
                /** @description The internal identifier of what authenticates the user. */
                authenticationProvider?: string;
            };
            /** @description What the service notes about the record. */
            meta: {
                /** @description The kind of the resource. */
                resourceType: string;
                /**
                 * Format: date-time
                 * @description When the user was created.
                 */
                created: string;
                /**
                 * Format: date-time
                 * @description When the user was last changed.
                 */
                lastModified: string;
                /** @description The version of the record, as an entity tag. */
                version: string;
                /** @description The address of the record. */
                location: string;
            };
        };
        UserDraft: {
            /** @description The schemas whose attributes the resource has. */
            schemas: string[];
            /** @description The identifier that the service gave to the user. */
            id?: number;
            /** @description The identifier that the caller gave to the user. */
            externalId?: string;
            /** @description The name that identifies the user; unique in the account without regard to case. */
            userName: string;
            /** @description The parts of the user's name. */
            name: {
                /** @description The family name, in most Western languages the last name. */
                familyName?: string;
                /** @description The given name, in most Western languages the first name. */
                givenName?: string;
            };
            /** @description True: active. False: suspended, which is how a user is de-provisioned. */
            active?: boolean;
            /** @description E-mail addresses. */
            emails: {
                /** @description The e-mail address. */
                value: string;
                /** @description What the value is used for. */
                type?: string;
                /** @description Whether this value is the preferred one; at most one is. */
                primary?: boolean;
            }[];
            /** @description Telephone numbers. */
            phoneNumbers?: {
                /** @description The telephone number. */
                value: string;
                /** @description What the value is used for. */
                type?: string;
            }[];
            /** @description What this service notes about a user. */
            "urn:ietf:params:scim:schemas:extension:service:1.0:User"?: {
                /** @description The customer that the user belongs to; the account where it is not sent. */
                clientId?: number;
                /** @description The internal identifier of what authenticates the user. */
                authenticationProvider?: string;
            };
            /** @description What the service notes about the record. */
            meta: {
                /** @description The kind of the resource. */
                resourceType?: string;
                /**
                 * Format: date-time
                 * @description When the user was created.
                 */
                created?: string;
                /**
                 * Format: date-time
                 * @description When the user was last changed.
                 */
                lastModified?: string;
                /** @description The version of the record, as an entity tag. */
                version?: string;
                /** @description The address of the record. */
                location?: string;
            };
        };
        UserList: {
            schemas: string[];
            /** @description All that match; more than are in this page, perhaps. */
            totalResults: number;
            /** @description The place of the first of this page, from 1. */
            startIndex: number;
            /** @description How many are in this page. */
            itemsPerPage: number;
            resources: components["schemas"]["User"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description On the refusal of a compressed body: how bodies must come.
         * @example identity
         */
        "Accept-Encoding": string;
        /**
         * @description The version, for If-Match and If-None-Match.
         * @example W/"1"
         */
        ETag: string;
        /**
         * @description The last position of the log when the export began, or `until` where that was asked for.
         * @example 2
         */
        "Export-End-Position": number;
        /**
         * @description How many rows the file has.
         * @example 2
         */
        "Export-Rows": number;
        /**
         * @description The next page, as `<address>; rel="next"`; missing on the last one.
         * @example <http://127.0.0.1:8080/v1/measures/8840868/data?from=2026-01-01&to=2026-01-31&offset=1>; rel="next"
         */
        Link: string;
        /**
         * @description The address of what was created.
         * @example http://127.0.0.1:8080/scim/v2/Users/1000000001
         */
        Location: string;
        /**
         * @description How many requests are left of the limit that is named, and in how many seconds it is full again. Missing where the operator has switched throttling off.
         * @example "client";r=99;t=1
         */
        RateLimit: string;
        /**
         * @description The limits: `q` requests within `w` seconds. With several replicas each names the share that it allows.
         * @example "client";q=100;w=2, "account";q=300;w=2
         */
        "RateLimit-Policy": string;
        /**
         * @description In how many seconds to come back.
         * @example 1
         */
        "Retry-After": number;
        /**
         * @description The kind of credentials that is asked for and, of a token, what is wrong with it.
         * @example Bearer realm="soundings"
         */
        "WWW-Authenticate": string;
        /**
         * @description The name of the exchange in the logs: quote it when you report a failure.
         * @example 0199c8f4-7d3a-7c11-9a52-5b1de0a4c0f7
         */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export interface operations {
    issueToken: {
        parameters: {
            query: {
                /**
                 * @description Always client_credentials.
                 * @example client_credentials
                 */
                grant_type: string;
                /**
                 * @description One or more of r_cx_basic, r_cx_measures, r_cx_projects, r_cx_users, w_cx_users, w_cx_responses, separated by spaces.
                 * @example r_cx_basic
                 */
                scope: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    grant_type?: string;
                    scope?: string;
                    client_id?: string;
                    client_secret?: string;
                };
            };
        };
        responses: {
            /** @description The token */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
        };
    };
    listMeasures: {
        parameters: {
            query?: {
                /**
                 * @description Page number, from 0.
                 * @example 0
                 */
                offset?: number;
                /**
                 * @description Page size; 100 unless given.
                 * @example 2
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of measures */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeasuresList"];
                };
            };
        };
    };
    measureDefinition: {
        parameters: {
            query?: {
                /**
                 * @description Leave out the questions; implies excludeAnswers.
                 * @example false
                 */
                excludeQuestions?: boolean;
                /**
                 * @description Leave out the answers of questions.
                 * @example false
                 */
                excludeAnswers?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a measure in the list.
                 * @example 8840868
                 */
                measurementKey: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The definition */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeasureDefinition"];
                };
            };
        };
    };
    measureData: {
        parameters: {
            query: {
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2025-01-01
                 */
                from: string;
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2035-12-31
                 */
                to: string;
                /**
                 * @description Leave out questions and answers of every respondent.
                 * @example false
                 */
                excludeResponseDetails?: boolean;
                /**
                 * @description Leave out measured questions.
                 * @example false
                 */
                excludeMQ?: boolean;
                /**
                 * @description Leave out custom questions.
                 * @example false
                 */
                excludeCQ?: boolean;
                /**
                 * @description Leave out custom and external passed parameters.
                 * @example false
                 */
                excludePassedParams?: boolean;
                /**
                 * @description Leave out latent scores, of respondents and of the summary.
                 * @example false
                 */
                excludeLatentScores?: boolean;
                /**
                 * @description Page number, from 0.
                 * @example 0
                 */
                offset?: number;
                /**
                 * @description Page size; 25 unless given.
                 * @example 2
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a measure in the list.
                 * @example 8840868
                 */
                measurementKey: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of respondents */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeasureData"];
                };
            };
        };
    };
    ingestResponse: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SurveyResponse"];
            };
        };
        responses: {
            /** @description The response is kept (or, for a test response, would have been) */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestionResult"];
                };
            };
        };
    };
    createInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a survey definition.
                 * @example acme-stores-1
                 */
                surveyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvitations"];
            };
        };
        responses: {
            /** @description The links */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
        };
    };
    revokeInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a survey definition.
                 * @example acme-stores-1
                 */
                surveyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationRevocation"];
            };
        };
        responses: {
            /** @description They are revoked */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationRevocationResult"];
                };
            };
        };
    };
    listProjects: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The projects */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"][];
                };
            };
        };
    };
    projectDefinition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a project in the list.
                 * @example 3223
                 */
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The project */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
        };
    };
    projectData: {
        parameters: {
            query: {
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2025-01-01
                 */
                from: string;
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2035-12-31
                 */
                to: string;
                /**
                 * @description Page size; 100 unless given.
                 * @example 2
                 */
                limit?: number;
                /**
                 * @description Rows to pass over; 0 unless given.
                 * @example 0
                 */
                offset?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a project in the list.
                 * @example 3223
                 */
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of entries */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectData"];
                };
            };
        };
    };
    measureChanges: {
        parameters: {
            query?: {
                /** @description `next` of the page before; the start unless given. */
                after?: string;
                /**
                 * @description Instead of `after`: begin behind the response with this position, such as the last one of an export.
                 * @example 100
                 */
                position?: number;
                /**
                 * @description Page size; 100 unless given.
                 * @example 2
                 */
                limit?: number;
                /**
                 * @description So many seconds to wait for a change while there is none; 0 unless given.
                 * @example 0
                 */
                wait?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a measure in the list.
                 * @example 8840868
                 */
                measurementKey: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of changes */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeasureChanges"];
                };
            };
        };
    };
    projectChanges: {
        parameters: {
            query?: {
                /** @description `next` of the page before; the start unless given. */
                after?: string;
                /**
                 * @description Instead of `after`: begin behind the response with this position, such as the last one of an export.
                 * @example 10
                 */
                position?: number;
                /**
                 * @description Page size; 100 unless given.
                 * @example 2
                 */
                limit?: number;
                /**
                 * @description So many seconds to wait for a change while there is none; 0 unless given.
                 * @example 0
                 */
                wait?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a project in the list.
                 * @example 3223
                 */
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of changes */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectChanges"];
                };
            };
        };
    };
    measureDigest: {
        parameters: {
            query: {
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2026-01-01
                 */
                from: string;
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2028-09-26
                 */
                to: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a measure in the list.
                 * @example 8840868
                 */
                measurementKey: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The digests of the days */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Digests"];
                };
            };
        };
    };
    projectDigest: {
        parameters: {
            query: {
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2026-01-01
                 */
                from: string;
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2028-09-26
                 */
                to: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a project in the list.
                 * @example 3223
                 */
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The digests of the days */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Digests"];
                };
            };
        };
    };
    measureResponse: {
        parameters: {
            query?: {
                /**
                 * @description Leave out questions and answers of every respondent.
                 * @example false
                 */
                excludeResponseDetails?: boolean;
                /**
                 * @description Leave out measured questions.
                 * @example false
                 */
                excludeMQ?: boolean;
                /**
                 * @description Leave out custom questions.
                 * @example false
                 */
                excludeCQ?: boolean;
                /**
                 * @description Leave out custom and external passed parameters.
                 * @example false
                 */
                excludePassedParams?: boolean;
                /**
                 * @description Leave out latent scores, of respondents and of the summary.
                 * @example false
                 */
                excludeLatentScores?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a measure in the list.
                 * @example 8840868
                 */
                measurementKey: number;
                /**
                 * @description The responseId, percent-encoded. Many programs take a whole part of a path that is `.` or `..` for a step up, encoded or not: such a response is found by its position in the change feed.
                 * @example demo-visit
                 */
                responseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The respondent */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeasureResponse"];
                };
            };
        };
    };
    measureResponseTrace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a measure in the list.
                 * @example 8840868
                 */
                measurementKey: number;
                /**
                 * @description The responseId, percent-encoded. Many programs take a whole part of a path that is `.` or `..` for a step up, encoded or not: such a response is found by its position in the change feed.
                 * @example demo-visit
                 */
                responseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Why it has its scores */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoreTrace"];
                };
            };
        };
    };
    projectResponse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a project in the list.
                 * @example 3223
                 */
                projectId: number;
                /**
                 * @description The responseId, percent-encoded. Many programs take a whole part of a path that is `.` or `..` for a step up, encoded or not: such a response is found by its position in the change feed.
                 * @example demo-badge
                 */
                responseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
        };
    };
    measureCost: {
        parameters: {
            query: {
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2025-01-01
                 */
                from: string;
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2035-12-31
                 */
                to: string;
                /** @description Leave out questions and answers of every respondent. */
                excludeResponseDetails?: boolean;
                /** @description Leave out measured questions. */
                excludeMQ?: boolean;
                /** @description Leave out custom questions. */
                excludeCQ?: boolean;
                /** @description Leave out custom and external passed parameters. */
                excludePassedParams?: boolean;
                /** @description Leave out latent scores, of respondents and of the summary. */
                excludeLatentScores?: boolean;
                /**
                 * @description Page size; 25 unless given.
                 * @example 100
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a measure in the list.
                 * @example 8840868
                 */
                measurementKey: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What it will take */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PullCost"];
                };
            };
        };
    };
    projectCost: {
        parameters: {
            query: {
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2025-01-01
                 */
                from: string;
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2035-12-31
                 */
                to: string;
                /**
                 * @description Page size; 100 unless given.
                 * @example 100
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a project in the list.
                 * @example 3223
                 */
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What it will take */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PullCost"];
                };
            };
        };
    };
    measureComments: {
        parameters: {
            query?: {
                /**
                 * @description A part that the comment contains, as it is typed: capitals, width and composed letters make no difference. All comments unless given.
                 * @example slow
                 */
                q?: string;
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2025-10-01
                 */
                from?: string;
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2035-10-31
                 */
                to?: string;
                /**
                 * @description The id of an open question.
                 * @example Q-WHY
                 */
                question?: string;
                /**
                 * @description Only responses that meet up to five conditions `OPERATOR,NAME,VALUE`, joined by `;`. OPERATOR is is, not, lt, gt or contains; NAME is question:ID, cpp:NAME, epp:NAME, device, locale, weekday, page, version, latent:ID, rating or topic; NAME and VALUE are percent-encoded once more.
                 * @example not,version,7
                 */
                filter?: string;
                /**
                 * @description So many milliseconds may be spent on looking through responses, newest days first; 2000 unless given. Where that is not enough, complete is false.
                 * @example 2000
                 */
                within?: number;
                /**
                 * @description As for figures; single comments are never withheld.
                 * @example 1
                 */
                minimum?: number;
                /**
                 * @description Page size; 50 unless given.
                 * @example 2
                 */
                limit?: number;
                /** @description `next` of the page before, of the same question. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a measure in the list.
                 * @example 8840868
                 */
                measurementKey: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of comments */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeasureComments"];
                };
            };
        };
    };
    projectComments: {
        parameters: {
            query?: {
                /**
                 * @description A part that the comment contains, as it is typed: capitals, width and composed letters make no difference. All comments unless given.
                 * @example delivery
                 */
                q?: string;
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2026-01-01
                 */
                from?: string;
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2035-12-31
                 */
                to?: string;
                /**
                 * @description The id of an open question.
                 * @example Q-COMMENT
                 */
                question?: string;
                /**
                 * @description Only responses that meet up to five conditions `OPERATOR,NAME,VALUE`, joined by `;`. OPERATOR is is, not, lt, gt or contains; NAME is question:ID, cpp:NAME, epp:NAME, device, locale, weekday, page, version, latent:ID, rating or topic; NAME and VALUE are percent-encoded once more.
                 * @example gt,rating,1
                 */
                filter?: string;
                /**
                 * @description So many milliseconds may be spent on looking through responses, newest days first; 2000 unless given. Where that is not enough, complete is false.
                 * @example 2000
                 */
                within?: number;
                /**
                 * @description As for figures; single comments are never withheld.
                 * @example 1
                 */
                minimum?: number;
                /**
                 * @description Page size; 50 unless given.
                 * @example 2
                 */
                limit?: number;
                /** @description `next` of the page before, of the same question. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a project in the list.
                 * @example 3223
                 */
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of comments */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectComments"];
                };
            };
        };
    };
    appendExternalParameters: {
        parameters: {
            query?: {
                /**
                 * @description Let a value take the place of another one that is there.
                 * @example true
                 */
                replace?: boolean;
                /**
                 * @description Say what would change, and change nothing.
                 * @example false
                 */
                dryRun?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a measure in the list.
                 * @example 8840868
                 */
                measurementKey: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": string;
                /**
                 * @example responseId,loyalty_tier
                 *     my-first-response,gold
                 */
                "text/csv": string;
            };
        };
        responses: {
            /** @description What was changed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExternalParametersResult"];
                };
            };
        };
    };
    exportMeasure: {
        parameters: {
            query: {
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2025-01-01
                 */
                from: string;
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2035-12-31
                 */
                to: string;
                /**
                 * @description ndjson: a line an item; csv: a row a response; parquet: the same with types.
                 * @example ndjson
                 */
                format: "ndjson" | "csv" | "parquet";
                /**
                 * @description Rows behind this position of the log alone: to go on where an export was cut.
                 * @example 0
                 */
                after?: number;
                /**
                 * @description Rows up to this position alone; the end of the log unless given.
                 * @example 2
                 */
                until?: number;
                /** @description Of csv: whether the names of the columns come first; true unless given. */
                header?: boolean;
                /** @description Of csv: a byte order mark, and no text that would be taken for a formula. */
                spreadsheet?: boolean;
                /**
                 * @description Leave out questions and answers of every respondent.
                 * @example true
                 */
                excludeResponseDetails?: boolean;
                /** @description Leave out measured questions. */
                excludeMQ?: boolean;
                /** @description Leave out custom questions. */
                excludeCQ?: boolean;
                /** @description Leave out custom and external passed parameters. */
                excludePassedParams?: boolean;
                /** @description Leave out latent scores, of respondents and of the summary. */
                excludeLatentScores?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a measure in the list.
                 * @example 8840868
                 */
                measurementKey: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Export-Rows": components["headers"]["Export-Rows"];
                    "Export-End-Position": components["headers"]["Export-End-Position"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": unknown;
                    /** @example id,responseTime,experienceDate */
                    "text/csv": unknown;
                    /** @example PAR1...PAR1 */
                    "application/vnd.apache.parquet": unknown;
                };
            };
        };
    };
    exportProject: {
        parameters: {
            query: {
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2025-01-01
                 */
                from: string;
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2035-12-31
                 */
                to: string;
                /**
                 * @description ndjson: a line an item; csv: a row a response; parquet: the same with types.
                 * @example ndjson
                 */
                format: "ndjson" | "csv" | "parquet";
                /**
                 * @description Rows behind this position of the log alone: to go on where an export was cut.
                 * @example 0
                 */
                after?: number;
                /**
                 * @description Rows up to this position alone; the end of the log unless given.
                 * @example 2
                 */
                until?: number;
                /** @description Of csv: whether the names of the columns come first; true unless given. */
                header?: boolean;
                /** @description Of csv: a byte order mark, and no text that would be taken for a formula. */
                spreadsheet?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a project in the list.
                 * @example 3223
                 */
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Export-Rows": components["headers"]["Export-Rows"];
                    "Export-End-Position": components["headers"]["Export-End-Position"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": unknown;
                    /** @example id,responseTime,experienceDate */
                    "text/csv": unknown;
                    /** @example PAR1...PAR1 */
                    "application/vnd.apache.parquet": unknown;
                };
            };
        };
    };
    measureTrend: {
        parameters: {
            query: {
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2025-10-01
                 */
                from: string;
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2035-10-31
                 */
                to: string;
                /**
                 * @description Figures of fewer responses are withheld. It can only raise what the account says.
                 * @example 1
                 */
                minimum?: number;
                /**
                 * @description `day` unless asked for; weeks begin on Monday (ISO 8601).
                 * @example month
                 */
                unit?: components["schemas"]["CalendarUnit"];
                /**
                 * @description previous: as many days directly before. year: the same days a year before.
                 * @example previous
                 */
                compare?: "previous" | "year";
                /**
                 * @description Only responses that meet up to five conditions `OPERATOR,NAME,VALUE`, joined by `;`. OPERATOR is is, not, lt, gt or contains; NAME is question:ID, cpp:NAME, epp:NAME, device, locale, weekday, page, version, latent:ID, rating or topic; NAME and VALUE are percent-encoded once more.
                 * @example gt,latent:L-SAT,50
                 */
                filter?: string;
                /**
                 * @description So many milliseconds may be spent on looking through responses, newest days first; 2000 unless given. Where that is not enough, complete is false.
                 * @example 2000
                 */
                within?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a measure in the list.
                 * @example 8840868
                 */
                measurementKey: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scores over time */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeasureTrend"];
                };
            };
        };
    };
    measureDistribution: {
        parameters: {
            query: {
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2025-10-01
                 */
                from: string;
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2035-10-31
                 */
                to: string;
                /**
                 * @description Figures of fewer responses are withheld. It can only raise what the account says.
                 * @example 1
                 */
                minimum?: number;
                /**
                 * @description Only responses that meet up to five conditions `OPERATOR,NAME,VALUE`, joined by `;`. OPERATOR is is, not, lt, gt or contains; NAME is question:ID, cpp:NAME, epp:NAME, device, locale, weekday, page, version, latent:ID, rating or topic; NAME and VALUE are percent-encoded once more.
                 * @example gt,latent:L-SAT,50
                 */
                filter?: string;
                /**
                 * @description So many milliseconds may be spent on looking through responses, newest days first; 2000 unless given. Where that is not enough, complete is false.
                 * @example 2000
                 */
                within?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a measure in the list.
                 * @example 8840868
                 */
                measurementKey: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answers */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsightDistribution"];
                };
            };
        };
    };
    measureDrivers: {
        parameters: {
            query: {
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2025-10-01
                 */
                from: string;
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2035-10-31
                 */
                to: string;
                /**
                 * @description Figures of fewer responses are withheld. It can only raise what the account says.
                 * @example 1
                 */
                minimum?: number;
                /**
                 * @description Only responses that meet up to five conditions `OPERATOR,NAME,VALUE`, joined by `;`. OPERATOR is is, not, lt, gt or contains; NAME is question:ID, cpp:NAME, epp:NAME, device, locale, weekday, page, version, latent:ID, rating or topic; NAME and VALUE are percent-encoded once more.
                 * @example gt,latent:L-SAT,50
                 */
                filter?: string;
                /**
                 * @description So many milliseconds may be spent on looking through responses, newest days first; 2000 unless given. Where that is not enough, complete is false.
                 * @example 2000
                 */
                within?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a measure in the list.
                 * @example 8840868
                 */
                measurementKey: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The latents, by the strength of the association */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeasureDrivers"];
                };
            };
        };
    };
    projectTrend: {
        parameters: {
            query: {
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2025-10-01
                 */
                from: string;
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2035-10-31
                 */
                to: string;
                /**
                 * @description Figures of fewer responses are withheld. It can only raise what the account says.
                 * @example 1
                 */
                minimum?: number;
                /**
                 * @description `day` unless asked for; weeks begin on Monday (ISO 8601).
                 * @example month
                 */
                unit?: components["schemas"]["CalendarUnit"];
                /**
                 * @description previous: as many days directly before. year: the same days a year before.
                 * @example previous
                 */
                compare?: "previous" | "year";
                /**
                 * @description Only responses that meet up to five conditions `OPERATOR,NAME,VALUE`, joined by `;`. OPERATOR is is, not, lt, gt or contains; NAME is question:ID, cpp:NAME, epp:NAME, device, locale, weekday, page, version, latent:ID, rating or topic; NAME and VALUE are percent-encoded once more.
                 * @example gt,rating,1
                 */
                filter?: string;
                /**
                 * @description So many milliseconds may be spent on looking through responses, newest days first; 2000 unless given. Where that is not enough, complete is false.
                 * @example 2000
                 */
                within?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a project in the list.
                 * @example 3223
                 */
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rating over time */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectTrend"];
                };
            };
        };
    };
    projectDistribution: {
        parameters: {
            query: {
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2025-10-01
                 */
                from: string;
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2035-10-31
                 */
                to: string;
                /**
                 * @description Figures of fewer responses are withheld. It can only raise what the account says.
                 * @example 1
                 */
                minimum?: number;
                /**
                 * @description Only responses that meet up to five conditions `OPERATOR,NAME,VALUE`, joined by `;`. OPERATOR is is, not, lt, gt or contains; NAME is question:ID, cpp:NAME, epp:NAME, device, locale, weekday, page, version, latent:ID, rating or topic; NAME and VALUE are percent-encoded once more.
                 * @example gt,rating,1
                 */
                filter?: string;
                /**
                 * @description So many milliseconds may be spent on looking through responses, newest days first; 2000 unless given. Where that is not enough, complete is false.
                 * @example 2000
                 */
                within?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a project in the list.
                 * @example 3223
                 */
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answers */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsightDistribution"];
                };
            };
        };
    };
    projectTopics: {
        parameters: {
            query: {
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2025-10-01
                 */
                from: string;
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2035-10-31
                 */
                to: string;
                /**
                 * @description Figures of fewer responses are withheld. It can only raise what the account says.
                 * @example 1
                 */
                minimum?: number;
                /**
                 * @description previous: as many days directly before. year: the same days a year before.
                 * @example previous
                 */
                compare?: "previous" | "year";
                /**
                 * @description Only responses that meet up to five conditions `OPERATOR,NAME,VALUE`, joined by `;`. OPERATOR is is, not, lt, gt or contains; NAME is question:ID, cpp:NAME, epp:NAME, device, locale, weekday, page, version, latent:ID, rating or topic; NAME and VALUE are percent-encoded once more.
                 * @example gt,rating,1
                 */
                filter?: string;
                /**
                 * @description So many milliseconds may be spent on looking through responses, newest days first; 2000 unless given. Where that is not enough, complete is false.
                 * @example 2000
                 */
                within?: number;
                /**
                 * @description So many of the pages with the lowest mean rating too, of those with at least five ratings. They are found by looking through the entries.
                 * @example 2
                 */
                pages?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a project in the list.
                 * @example 3223
                 */
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The topics */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectTopics"];
                };
            };
        };
    };
    measureBreakdown: {
        parameters: {
            query: {
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2025-10-01
                 */
                from: string;
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2035-10-31
                 */
                to: string;
                /**
                 * @description Figures of fewer responses are withheld. It can only raise what the account says.
                 * @example 1
                 */
                minimum?: number;
                /**
                 * @description cpp:NAME, epp:NAME (passed and external parameters), question:ID, device, locale, weekday, page or version.
                 * @example device
                 */
                by: string;
                /**
                 * @description Only responses that meet up to five conditions `OPERATOR,NAME,VALUE`, joined by `;`. OPERATOR is is, not, lt, gt or contains; NAME is question:ID, cpp:NAME, epp:NAME, device, locale, weekday, page, version, latent:ID, rating or topic; NAME and VALUE are percent-encoded once more.
                 * @example gt,question:Q-NPS,6;contains,locale,en
                 */
                filter?: string;
                /**
                 * @description So many milliseconds may be spent on looking through responses, newest days first; 2000 unless given. Where that is not enough, complete is false.
                 * @example 2000
                 */
                within?: number;
                /**
                 * @description So many groups; 50 unless given.
                 * @example 2
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a measure in the list.
                 * @example 8840868
                 */
                measurementKey: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The groups */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeasureBreakdown"];
                };
            };
        };
    };
    projectBreakdown: {
        parameters: {
            query: {
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2025-10-01
                 */
                from: string;
                /**
                 * @description A UTC day, YYYY-MM-DD.
                 * @example 2035-10-31
                 */
                to: string;
                /**
                 * @description Figures of fewer responses are withheld. It can only raise what the account says.
                 * @example 1
                 */
                minimum?: number;
                /**
                 * @description cpp:NAME, epp:NAME (passed and external parameters), question:ID, device, locale, weekday, page or version.
                 * @example page
                 */
                by: string;
                /**
                 * @description Only responses that meet up to five conditions `OPERATOR,NAME,VALUE`, joined by `;`. OPERATOR is is, not, lt, gt or contains; NAME is question:ID, cpp:NAME, epp:NAME, device, locale, weekday, page, version, latent:ID, rating or topic; NAME and VALUE are percent-encoded once more.
                 * @example lt,rating,5
                 */
                filter?: string;
                /**
                 * @description So many milliseconds may be spent on looking through responses, newest days first; 2000 unless given. Where that is not enough, complete is false.
                 * @example 2000
                 */
                within?: number;
                /**
                 * @description So many groups; 50 unless given.
                 * @example 2
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a project in the list.
                 * @example 3223
                 */
                projectId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The groups */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectBreakdown"];
                };
            };
        };
    };
    getServiceProviderConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceProviderConfig"];
                    "application/scim+json": components["schemas"]["ServiceProviderConfig"];
                };
            };
        };
    };
    listResourceTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceTypeList"];
                    "application/scim+json": components["schemas"]["ResourceTypeList"];
                };
            };
        };
    };
    listSchemas: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SchemaList"];
                    "application/scim+json": components["schemas"]["SchemaList"];
                };
            };
        };
    };
    searchUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Not looked at. */
                    schemas?: unknown[];
                    /** @description Which of them; all of them unless given. */
                    filter?: string;
                    /**
                     * Format: int64
                     * @description The first result, from 1; below 1 counts as 1.
                     */
                    startIndex?: number;
                    /**
                     * Format: int64
                     * @description The most results; 100 unless given, at most 200, below 0 counts as 0.
                     */
                    count?: number;
                    /** @description An attribute; what does not have it comes last. */
                    sortBy?: string;
                    /** @enum {unknown} */
                    sortOrder?: "ascending" | "descending";
                };
                "application/scim+json": {
                    /** @description Not looked at. */
                    schemas?: unknown[];
                    /** @description Which of them; all of them unless given. */
                    filter?: string;
                    /**
                     * Format: int64
                     * @description The first result, from 1; below 1 counts as 1.
                     */
                    startIndex?: number;
                    /**
                     * Format: int64
                     * @description The most results; 100 unless given, at most 200, below 0 counts as 0.
                     */
                    count?: number;
                    /** @description An attribute; what does not have it comes last. */
                    sortBy?: string;
                    /** @enum {unknown} */
                    sortOrder?: "ascending" | "descending";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserList"];
                    "application/scim+json": components["schemas"]["UserList"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /**
                 * @description Which of them; all of them unless given.
                 * @example userName eq "ana.lopes@acme.example"
                 */
                filter?: string;
                /**
                 * @description The first result, from 1; below 1 counts as 1.
                 * @example 1
                 */
                startIndex?: number;
                /**
                 * @description The most results; 100 unless given, at most 200, below 0 counts as 0.
                 * @example 10
                 */
                count?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserList"];
                    "application/scim+json": components["schemas"]["UserList"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserDraft"];
                "application/scim+json": components["schemas"]["UserDraft"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                    "application/scim+json": components["schemas"]["User"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only if it is at one of these versions.
                 * @example *
                 */
                "If-Match"?: string;
                /**
                 * @description Versions that the caller has already.
                 * @example W/"0"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Its externalId; its internal id only if it has no externalId.
                 * @example acme-1001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                    "application/scim+json": components["schemas"]["User"];
                };
            };
        };
    };
    replaceUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only if it is at one of these versions.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Its externalId; its internal id only if it has no externalId.
                 * @example acme-1001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserDraft"];
                "application/scim+json": components["schemas"]["UserDraft"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                    "application/scim+json": components["schemas"]["User"];
                };
            };
        };
    };
    patchUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only if it is at one of these versions.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Its externalId; its internal id only if it has no externalId.
                 * @example acme-1002
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchRequest"];
                "application/scim+json": components["schemas"]["PatchRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                    "application/scim+json": components["schemas"]["User"];
                };
            };
        };
    };
    scimGetServiceProviderConfig: {
        parameters: {
            query?: {
                /** @description Refused: these documents cannot be filtered. */
                filter?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ServiceProviderConfig"];
                    "application/json": components["schemas"]["ServiceProviderConfig"];
                };
            };
        };
    };
    scimListResourceTypes: {
        parameters: {
            query?: {
                /** @description Refused: these documents cannot be filtered. */
                filter?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimResourceTypeList"];
                    "application/json": components["schemas"]["ScimResourceTypeList"];
                };
            };
        };
    };
    scimListSchemas: {
        parameters: {
            query?: {
                /** @description Refused: these documents cannot be filtered. */
                filter?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimSchemaList"];
                    "application/json": components["schemas"]["ScimSchemaList"];
                };
            };
        };
    };
    scimGetResourceType: {
        parameters: {
            query?: {
                /** @description Refused: these documents cannot be filtered. */
                filter?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Its id.
                 * @example User
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimResourceType"];
                    "application/json": components["schemas"]["ScimResourceType"];
                };
            };
        };
    };
    scimGetSchema: {
        parameters: {
            query?: {
                /** @description Refused: these documents cannot be filtered. */
                filter?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Its id.
                 * @example urn:ietf:params:scim:schemas:core:2.0:Group
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["Schema"];
                    "application/json": components["schemas"]["Schema"];
                };
            };
        };
    };
    scimSearchUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Not looked at. */
                    schemas?: unknown[];
                    /** @description Which of them; all of them unless given. */
                    filter?: string;
                    /**
                     * Format: int64
                     * @description The first result, from 1; below 1 counts as 1.
                     */
                    startIndex?: number;
                    /**
                     * Format: int64
                     * @description The most results; 100 unless given, at most 200, below 0 counts as 0.
                     */
                    count?: number;
                    /** @description An attribute; what does not have it comes last. */
                    sortBy?: string;
                    /** @enum {unknown} */
                    sortOrder?: "ascending" | "descending";
                    /** @description The attributes to show, as a list of names; all of them unless given. */
                    attributes?: unknown;
                    /** @description The attributes to leave out, as a list of names. */
                    excludedAttributes?: unknown;
                } & {
                    [key: string]: unknown;
                };
                "application/scim+json": {
                    /** @description Not looked at. */
                    schemas?: unknown[];
                    /** @description Which of them; all of them unless given. */
                    filter?: string;
                    /**
                     * Format: int64
                     * @description The first result, from 1; below 1 counts as 1.
                     */
                    startIndex?: number;
                    /**
                     * Format: int64
                     * @description The most results; 100 unless given, at most 200, below 0 counts as 0.
                     */
                    count?: number;
                    /** @description An attribute; what does not have it comes last. */
                    sortBy?: string;
                    /** @enum {unknown} */
                    sortOrder?: "ascending" | "descending";
                    /** @description The attributes to show, as a list of names; all of them unless given. */
                    attributes?: unknown;
                    /** @description The attributes to leave out, as a list of names. */
                    excludedAttributes?: unknown;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimUserList"];
                    "application/json": components["schemas"]["ScimUserList"];
                };
            };
        };
    };
    scimListUsers: {
        parameters: {
            query?: {
                /**
                 * @description Which of them; all of them unless given.
                 * @example userName eq "ana.lopes@acme.example"
                 */
                filter?: string;
                /**
                 * @description The first result, from 1; below 1 counts as 1.
                 * @example 1
                 */
                startIndex?: number;
                /**
                 * @description The most results; 100 unless given, at most 200, below 0 counts as 0.
                 * @example 10
                 */
                count?: number;
                /**
                 * @description An attribute; what does not have it comes last.
                 * @example userName
                 */
                sortBy?: string;
                /** @example ascending */
                sortOrder?: "ascending" | "descending";
                /** @description The attributes to show, separated by commas; all of them unless given. */
                attributes?: string;
                /**
                 * @description The attributes to leave out, separated by commas.
                 * @example phoneNumbers
                 */
                excludedAttributes?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimUserList"];
                    "application/json": components["schemas"]["ScimUserList"];
                };
            };
        };
    };
    scimCreateUser: {
        parameters: {
            query?: {
                /** @description The attributes to show, separated by commas; all of them unless given. */
                attributes?: string;
                /**
                 * @description The attributes to leave out, separated by commas.
                 * @example groups
                 */
                excludedAttributes?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScimUserDraft"];
                "application/scim+json": components["schemas"]["ScimUserDraft"];
            };
        };
        responses: {
            /** @description OK */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimUser"];
                    "application/json": components["schemas"]["ScimUser"];
                };
            };
        };
    };
    scimGetUser: {
        parameters: {
            query?: {
                /** @description The attributes to show, separated by commas; all of them unless given. */
                attributes?: string;
                /**
                 * @description The attributes to leave out, separated by commas.
                 * @example phoneNumbers
                 */
                excludedAttributes?: string;
            };
            header?: {
                /**
                 * @description Only if it is at one of these versions.
                 * @example *
                 */
                "If-Match"?: string;
                /**
                 * @description Versions that the caller has already.
                 * @example W/"0"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Its id.
                 * @example 1000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimUser"];
                    "application/json": components["schemas"]["ScimUser"];
                };
            };
        };
    };
    scimReplaceUser: {
        parameters: {
            query?: {
                /** @description The attributes to show, separated by commas; all of them unless given. */
                attributes?: string;
                /**
                 * @description The attributes to leave out, separated by commas.
                 * @example groups
                 */
                excludedAttributes?: string;
            };
            header?: {
                /**
                 * @description Only if it is at one of these versions.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Its id.
                 * @example 1000000002
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScimUserDraft"];
                "application/scim+json": components["schemas"]["ScimUserDraft"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimUser"];
                    "application/json": components["schemas"]["ScimUser"];
                };
            };
        };
    };
    scimDeleteUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only if it is at one of these versions.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Its id.
                 * @example 1000000003
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    scimPatchUser: {
        parameters: {
            query?: {
                /** @description The attributes to show, separated by commas; all of them unless given. */
                attributes?: string;
                /**
                 * @description The attributes to leave out, separated by commas.
                 * @example groups
                 */
                excludedAttributes?: string;
            };
            header?: {
                /**
                 * @description Only if it is at one of these versions.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Its id.
                 * @example 1000000002
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScimPatchRequest"];
                "application/scim+json": components["schemas"]["ScimPatchRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimUser"];
                    "application/json": components["schemas"]["ScimUser"];
                };
            };
        };
    };
    scimSearch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Not looked at. */
                    schemas?: unknown[];
                    /** @description Which of them; all of them unless given. */
                    filter?: string;
                    /**
                     * Format: int64
                     * @description The first result, from 1; below 1 counts as 1.
                     */
                    startIndex?: number;
                    /**
                     * Format: int64
                     * @description The most results; 100 unless given, at most 200, below 0 counts as 0.
                     */
                    count?: number;
                    /** @description An attribute; what does not have it comes last. */
                    sortBy?: string;
                    /** @enum {unknown} */
                    sortOrder?: "ascending" | "descending";
                    /** @description The attributes to show, as a list of names; all of them unless given. */
                    attributes?: unknown;
                    /** @description The attributes to leave out, as a list of names. */
                    excludedAttributes?: unknown;
                } & {
                    [key: string]: unknown;
                };
                "application/scim+json": {
                    /** @description Not looked at. */
                    schemas?: unknown[];
                    /** @description Which of them; all of them unless given. */
                    filter?: string;
                    /**
                     * Format: int64
                     * @description The first result, from 1; below 1 counts as 1.
                     */
                    startIndex?: number;
                    /**
                     * Format: int64
                     * @description The most results; 100 unless given, at most 200, below 0 counts as 0.
                     */
                    count?: number;
                    /** @description An attribute; what does not have it comes last. */
                    sortBy?: string;
                    /** @enum {unknown} */
                    sortOrder?: "ascending" | "descending";
                    /** @description The attributes to show, as a list of names; all of them unless given. */
                    attributes?: unknown;
                    /** @description The attributes to leave out, as a list of names. */
                    excludedAttributes?: unknown;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimResourceList"];
                    "application/json": components["schemas"]["ScimResourceList"];
                };
            };
        };
    };
    scimSearchGroups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Not looked at. */
                    schemas?: unknown[];
                    /** @description Which of them; all of them unless given. */
                    filter?: string;
                    /**
                     * Format: int64
                     * @description The first result, from 1; below 1 counts as 1.
                     */
                    startIndex?: number;
                    /**
                     * Format: int64
                     * @description The most results; 100 unless given, at most 200, below 0 counts as 0.
                     */
                    count?: number;
                    /** @description An attribute; what does not have it comes last. */
                    sortBy?: string;
                    /** @enum {unknown} */
                    sortOrder?: "ascending" | "descending";
                    /** @description The attributes to show, as a list of names; all of them unless given. */
                    attributes?: unknown;
                    /** @description The attributes to leave out, as a list of names. */
                    excludedAttributes?: unknown;
                } & {
                    [key: string]: unknown;
                };
                "application/scim+json": {
                    /** @description Not looked at. */
                    schemas?: unknown[];
                    /** @description Which of them; all of them unless given. */
                    filter?: string;
                    /**
                     * Format: int64
                     * @description The first result, from 1; below 1 counts as 1.
                     */
                    startIndex?: number;
                    /**
                     * Format: int64
                     * @description The most results; 100 unless given, at most 200, below 0 counts as 0.
                     */
                    count?: number;
                    /** @description An attribute; what does not have it comes last. */
                    sortBy?: string;
                    /** @enum {unknown} */
                    sortOrder?: "ascending" | "descending";
                    /** @description The attributes to show, as a list of names; all of them unless given. */
                    attributes?: unknown;
                    /** @description The attributes to leave out, as a list of names. */
                    excludedAttributes?: unknown;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimGroupList"];
                    "application/json": components["schemas"]["ScimGroupList"];
                };
            };
        };
    };
    scimListGroups: {
        parameters: {
            query?: {
                /**
                 * @description Which of them; all of them unless given.
                 * @example displayName eq "Store managers"
                 */
                filter?: string;
                /**
                 * @description The first result, from 1; below 1 counts as 1.
                 * @example 1
                 */
                startIndex?: number;
                /**
                 * @description The most results; 100 unless given, at most 200, below 0 counts as 0.
                 * @example 10
                 */
                count?: number;
                /**
                 * @description An attribute; what does not have it comes last.
                 * @example displayName
                 */
                sortBy?: string;
                /** @example ascending */
                sortOrder?: "ascending" | "descending";
                /** @description The attributes to show, separated by commas; all of them unless given. */
                attributes?: string;
                /**
                 * @description The attributes to leave out, separated by commas.
                 * @example externalId
                 */
                excludedAttributes?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimGroupList"];
                    "application/json": components["schemas"]["ScimGroupList"];
                };
            };
        };
    };
    scimCreateGroup: {
        parameters: {
            query?: {
                /** @description The attributes to show, separated by commas; all of them unless given. */
                attributes?: string;
                /**
                 * @description The attributes to leave out, separated by commas.
                 * @example externalId
                 */
                excludedAttributes?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScimGroupDraft"];
                "application/scim+json": components["schemas"]["ScimGroupDraft"];
            };
        };
        responses: {
            /** @description OK */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimGroup"];
                    "application/json": components["schemas"]["ScimGroup"];
                };
            };
        };
    };
    scimGetGroup: {
        parameters: {
            query?: {
                /** @description The attributes to show, separated by commas; all of them unless given. */
                attributes?: string;
                /**
                 * @description The attributes to leave out, separated by commas.
                 * @example externalId
                 */
                excludedAttributes?: string;
            };
            header?: {
                /**
                 * @description Only if it is at one of these versions.
                 * @example *
                 */
                "If-Match"?: string;
                /**
                 * @description Versions that the caller has already.
                 * @example W/"0"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description Its id.
                 * @example 1000000004
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimGroup"];
                    "application/json": components["schemas"]["ScimGroup"];
                };
            };
        };
    };
    scimReplaceGroup: {
        parameters: {
            query?: {
                /** @description The attributes to show, separated by commas; all of them unless given. */
                attributes?: string;
                /**
                 * @description The attributes to leave out, separated by commas.
                 * @example externalId
                 */
                excludedAttributes?: string;
            };
            header?: {
                /**
                 * @description Only if it is at one of these versions.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Its id.
                 * @example 1000000004
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScimGroupDraft"];
                "application/scim+json": components["schemas"]["ScimGroupDraft"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimGroup"];
                    "application/json": components["schemas"]["ScimGroup"];
                };
            };
        };
    };
    scimDeleteGroup: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Only if it is at one of these versions.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Its id.
                 * @example 1000000005
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    scimPatchGroup: {
        parameters: {
            query?: {
                /**
                 * @description The attributes to show, separated by commas; all of them unless given.
                 * @example displayName
                 */
                attributes?: string;
                /** @description The attributes to leave out, separated by commas. */
                excludedAttributes?: string;
            };
            header?: {
                /**
                 * @description Only if it is at one of these versions.
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Its id.
                 * @example 1000000004
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScimPatchRequest"];
                "application/scim+json": components["schemas"]["ScimPatchRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimGroup"];
                    "application/json": components["schemas"]["ScimGroup"];
                };
            };
            /** @description Done, and attributes asked for nothing; ETag is the new version */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    scimBulk: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkRequest"];
                "application/scim+json": components["schemas"]["BulkRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["BulkAnswer"];
                    "application/json": components["schemas"]["BulkAnswer"];
                };
            };
        };
    };
    surveyDefinition: {
        parameters: {
            query?: {
                /**
                 * @description The language of the texts, where the survey has it; else that of Accept-Language.
                 * @example en
                 */
                lang?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a survey, or the site key of a project
                 * @example acme-badge-1
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The survey */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicSurveyDefinition"];
                };
            };
        };
    };
    surveyToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a survey, or the site key of a project
                 * @example acme-badge-1
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A token, for 24 hours */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SurveyToken"];
                };
            };
        };
    };
    authorizationServerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metadata */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorizationServerMetadata"];
                };
            };
        };
    };
}
